/* SPDX-License-Identifier: BSD-3-Clause */
/* Chooses the engine and loads it: the only file that knows their names. */
#include "net/net.h"

#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "base/log.h"

TERN_PE_LOCAL const struct tern_net_ops *tern_net = &tern_net_none;

#define PLUG_IN "libtern-ofi.so"

/*
 * Beside the library: installed in a folder of its own, in the build tree in net/ofi/. A program
 * that contains the library has no such neighbour; there the loader's own search may find it.
 */
static void *load(char *tried, size_t tried_bytes)
{
    static const char *const folders[] = {"/tern/", "/net/ofi/", NULL};
    char path[PATH_MAX];
    Dl_info us;
    void *plug_in;

    if (dladdr(&tern_net_none, &us) && us.dli_fname) {
        const char *slash = strrchr(us.dli_fname, '/');

        for (int i = 0; slash && folders[i]; i++) {
            snprintf(path, sizeof path, "%.*s%s%s", (int)(slash - us.dli_fname), us.dli_fname,
                     folders[i], PLUG_IN);
            plug_in = dlopen(path, RTLD_NOW | RTLD_LOCAL);
            if (plug_in)
                return plug_in;
            snprintf(tried, tried_bytes, "%s", dlerror());
            if (!strstr(tried, "No such file"))
                return NULL;
        }
    }
    plug_in = dlopen(PLUG_IN, RTLD_NOW | RTLD_LOCAL);
    if (!plug_in)
        snprintf(tried, tried_bytes, "%s", dlerror());
    return plug_in;
}

/*
 * Loading libfabric may load libraries for networks that are not here, and some of those install
 * handlers for signals that are the program's business.
 */
static const int signals[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGINT, SIGTERM};

#define N_SIGNALS (sizeof signals / sizeof *signals)

static void *load_quietly(char *tried, size_t tried_bytes)
{
    struct sigaction before[N_SIGNALS];
    void *plug_in;

    for (size_t i = 0; i < N_SIGNALS; i++)
        sigaction(signals[i], NULL, &before[i]);
    plug_in = load(tried, tried_bytes);
    for (size_t i = 0; i < N_SIGNALS; i++)
        sigaction(signals[i], &before[i], NULL);
    return plug_in;
}

int tern_net_open(const struct tern_net_host *host, void *card)
{
    char problem[PATH_MAX + 128];
    void *plug_in = load_quietly(problem, sizeof problem);
    const struct tern_net_ops *const *engine = NULL;
    int r;

    if (!plug_in) {
        tern_error("the job spans several nodes, but the network engine can't be loaded (%s): "
                   "build Tern where libfabric is installed, and link the program dynamically",
                   problem);
        return -ENETUNREACH;
    }
    engine = dlsym(plug_in, TERN_NET_ENGINE_SYMBOL);
    if (!engine) {
        tern_error("the network engine " PLUG_IN " is of another version of Tern: install both "
                   "from the same build");
        return -EPROTO;
    }
    r = (*engine)->open(host, card);
    if (!r)
        tern_net = *engine;
    return r;
}

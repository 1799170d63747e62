/* SPDX-License-Identifier: BSD-3-Clause */
/* Chooses the engine and loads it; no other file names one. */
#include "net/net.h"

#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/dynamic.h"
#include "base/log.h"

TERN_PE_LOCAL const struct tern_net_ops *tern_net = &tern_net_none;

#define PLUG_IN "libtern-ofi.so"

/*
 * Loads the plug-in from a folder beside the library: tern/ if installed, net/ofi/ in the build
 * tree. If the program contains the library there is no such folder, and the loader searches its
 * paths.
 */
static void *load(const char *library, char *tried, size_t tried_bytes)
{
    static const char *const folders[] = {"/tern/", "/net/ofi/", NULL};
    const char *slash = library ? strrchr(library, '/') : NULL;
    char path[PATH_MAX];
    void *plug_in;

    for (int i = 0; slash && folders[i]; i++) {
        snprintf(path, sizeof path, "%.*s%s%s", (int)(slash - library), library, folders[i],
                 PLUG_IN);
        if (access(path, F_OK) != 0)
            continue; /* dlerror()'s message would be in the user's language */
        plug_in = tern_dynamic_load(path);
        if (!plug_in)
            snprintf(tried, tried_bytes, "%s", dlerror());
        return plug_in;
    }
    plug_in = tern_dynamic_load(PLUG_IN);
    if (!plug_in)
        snprintf(tried, tried_bytes, "%s", dlerror());
    return plug_in;
}

/*
 * Loading libfabric may load libraries for networks that this host lacks. Some of them install
 * signal handlers, and take a while after that. Signals are blocked until the program's own
 * handlers are restored. A second thread that does not block a signal may still run the libraries'
 * handler.
 */
static const int signals[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGINT, SIGTERM};

#define N_SIGNALS (sizeof signals / sizeof *signals)

static void *load_quietly(const char *library, char *tried, size_t tried_bytes)
{
    struct sigaction before[N_SIGNALS];
    sigset_t all, mask;
    void *plug_in;

    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &mask);
    for (size_t i = 0; i < N_SIGNALS; i++)
        sigaction(signals[i], NULL, &before[i]);
    plug_in = load(library, tried, tried_bytes);
    for (size_t i = 0; i < N_SIGNALS; i++)
        sigaction(signals[i], &before[i], NULL);
    pthread_sigmask(SIG_SETMASK, &mask, NULL);
    return plug_in;
}

int tern_net_load(const char *library, const struct tern_net_ops **engine, char *problem,
                  size_t bytes)
{
    void *plug_in = load_quietly(library, problem, bytes);
    const struct tern_net_ops *const *found;

    if (!plug_in)
        return -ENETUNREACH;
    found = dlsym(plug_in, TERN_NET_ENGINE_SYMBOL);
    if (!found) {
        snprintf(problem, bytes, PLUG_IN " is of another version of Tern");
        return -EPROTO;
    }
    *engine = *found;
    return 0;
}

int tern_net_open(const struct tern_net_host *host, void *card)
{
    char problem[PATH_MAX + 128];
    const struct tern_net_ops *engine;
    Dl_info us;
    int r;

    if (!tern_dynamic_works()) {
        tern_error("the job spans several nodes, but this program is linked statically and can't "
                   "load the network engine: link it dynamically, or run it on one node");
        return -ENOTSUP;
    }
    r = tern_net_load(dladdr(&tern_net_none, &us) ? us.dli_fname : NULL, &engine, problem,
                      sizeof problem);
    if (r) {
        tern_error("the job spans several nodes, but the network engine can't be loaded (%s): %s",
                   problem,
                   r == -EPROTO ? "install both from the same build"
                                : "build Tern where libfabric is installed, and link the program "
                                  "with libtern.so");
        return r;
    }
    r = engine->open(host, card);
    if (!r)
        tern_net = engine;
    return r;
}

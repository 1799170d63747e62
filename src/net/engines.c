/* SPDX-License-Identifier: BSD-3-Clause */
/* Lists the network engines, and loads the one that is selected. */
#include "net/engines.h"

#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/dynamic.h"
#include "base/text_buffer.h"

static const struct tern_engine list[] = {
    {"ofi", "the networks of libfabric's providers", "libtern-ofi.so"},
};

const struct tern_engines tern_engines = {list, sizeof list / sizeof *list};

int tern_engines_select(const struct tern_engines *all, const char *name,
                        struct tern_engines *selected, char *problem, size_t bytes)
{
    char names[256] = "";

    *selected = *all;
    if (!name)
        return 0;
    for (size_t i = 0; i < all->n; i++) {
        if (!strcmp(all->list[i].name, name)) {
            *selected = (struct tern_engines){&all->list[i], 1};
            return 0;
        }
        tern_text_buffer_add(names, sizeof names, "%s%s (%s)", i ? ", " : "", all->list[i].name,
                             all->list[i].serves);
    }
    snprintf(problem, bytes, "SHMEM_NETWORK is %s, but the network engines are: %s", name, names);
    return -EINVAL;
}

/*
 * Loads the plug-in from a folder beside the library: tern/ if installed, net/NAME/ in the build
 * tree. If the program contains the library there is no such folder, and the loader searches its
 * paths.
 */
static void *load(const struct tern_engine *engine, const char *library, char *problem,
                  size_t bytes)
{
    const char *slash = library ? strrchr(library, '/') : NULL;
    void *plug_in;

    for (int built = 0; slash && built < 2; built++) {
        char path[PATH_MAX];

        snprintf(path, sizeof path, "%.*s/%s%s/%s", (int)(slash - library), library,
                 built ? "net/" : "tern", built ? engine->name : "", engine->library);
        if (access(path, F_OK) != 0)
            continue; /* dlerror()'s message would be in the user's language */
        plug_in = tern_dynamic_load(path);
        if (!plug_in)
            snprintf(problem, bytes, "%s", dlerror());
        return plug_in;
    }
    plug_in = tern_dynamic_load(engine->library);
    if (!plug_in)
        snprintf(problem, bytes, "%s", dlerror());
    return plug_in;
}

/*
 * Loading an engine may load libraries for networks that this host lacks. Some of them install
 * signal handlers, and take a while after that. Signals are blocked until the program's own
 * handlers are restored. A second thread that does not block a signal may still run the libraries'
 * handler.
 */
static const int signals[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGINT, SIGTERM};

#define N_SIGNALS (sizeof signals / sizeof *signals)

static void *load_quietly(const struct tern_engine *engine, const char *library, char *problem,
                          size_t bytes)
{
    struct sigaction before[N_SIGNALS];
    sigset_t all, mask;
    void *plug_in;

    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &mask);
    for (size_t i = 0; i < N_SIGNALS; i++)
        sigaction(signals[i], NULL, &before[i]);
    plug_in = load(engine, library, problem, bytes);
    for (size_t i = 0; i < N_SIGNALS; i++)
        sigaction(signals[i], &before[i], NULL);
    pthread_sigmask(SIG_SETMASK, &mask, NULL);
    return plug_in;
}

int tern_engines_load(const struct tern_engine *engine, const char *library,
                      const struct tern_net_ops **ops, char *problem, size_t bytes)
{
    void *plug_in = load_quietly(engine, library, problem, bytes);
    const struct tern_net_ops *const *found;

    if (!plug_in)
        return -ENETUNREACH;
    found = dlsym(plug_in, TERN_NET_ENGINE_SYMBOL);
    if (!found) {
        snprintf(problem, bytes, "%s is of another version of Tern", engine->library);
        return -EPROTO;
    }
    *ops = *found;
    return 0;
}

int tern_engines_load_first(const struct tern_engines *engines, const char *library,
                            const struct tern_net_ops **ops, char *problem, size_t bytes)
{
    int all = -ENETUNREACH;

    problem[0] = '\0';
    for (size_t i = 0; i < engines->n; i++) {
        char why[TERN_ENGINES_PROBLEM];
        int r = tern_engines_load(&engines->list[i], library, ops, why, sizeof why);

        if (!r)
            return 0;
        tern_text_buffer_add(problem, bytes, "%s%s", i ? "; " : "", why);
        if (r == -EPROTO)
            all = r;
    }
    return all;
}

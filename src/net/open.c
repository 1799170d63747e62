/* SPDX-License-Identifier: BSD-3-Clause */
/* Loads the engine that SHMEM_NETWORK names, or the first one, and opens it. */
#include "net/open.h"

#include <dlfcn.h>
#include <errno.h>

#include "base/dynamic.h"
#include "base/log.h"
#include "net/engines.h"

TERN_PE_LOCAL const struct tern_net_ops *tern_net = &tern_net_none;

/* Loads the engine of that name, or the first one. 0, or -errno after a message. */
static int load(const char *name, const struct tern_net_ops **engine)
{
    char problem[TERN_ENGINES_PROBLEM];
    struct tern_engines engines;
    Dl_info us;
    int r;

    r = tern_engines_select(&tern_engines, name, &engines, problem, sizeof problem);
    if (r) {
        tern_error("%s", problem);
        return r;
    }
    r = tern_engines_load_first(&engines, dladdr(&tern_net_none, &us) ? us.dli_fname : NULL, engine,
                                problem, sizeof problem);
    if (r)
        tern_error(
            "the job spans several nodes, but the network engine can't be loaded (%s): %s" TERN_SEE(
                "Networks"),
            problem,
            r == -EPROTO ? "install both from the same build"
                         : "build Tern where libfabric is installed, and link the program "
                           "with libtern.so");
    return r;
}

int tern_net_open(const char *name, const struct tern_net_host *host, void *card)
{
    const struct tern_net_ops *engine;
    int r;

    if (!tern_dynamic_works()) {
        tern_error("the job spans several nodes, but this program is linked statically and can't "
                   "load the network engine: link it dynamically, or run it on one node" TERN_SEE(
                       "Networks"));
        return -ENOTSUP;
    }
    r = load(name, &engine);
    if (!r)
        r = engine->open(host, card);
    if (!r)
        tern_net = engine;
    return r;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Chooses the engine: the only file that knows their names. */
#include "net/net.h"

#include <errno.h>

#include "base/log.h"

TERN_PE_LOCAL const struct tern_net_ops *tern_net = &tern_net_none;

int tern_net_start(int n_nodes, int pe, int n_pes)
{
    if (n_nodes > 1) {
        tern_error("the job spans %d nodes, but this build has no network engine", n_nodes);
        return -ENETUNREACH;
    }
    tern_net = &tern_net_none;
    return tern_net->start(pe, n_pes);
}

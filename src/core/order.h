/* SPDX-License-Identifier: BSD-3-Clause */
/* Fence and quiet: order and completion of this PE's operations on others. */
#ifndef TERN_CORE_ORDER_H
#define TERN_CORE_ORDER_H

#include "base/atomics.h"
#include "core/wait.h"
#include "net/net.h"

/*
 * On the node every operation is complete when its call returns; fence and quiet only order when
 * other PEs see the stores. Operations to other nodes go by a context's channel, NULL for the
 * default context. A PE is reached by one of the two routes only, so a fence has nothing to order
 * between them.
 */
TERN_INLINE void tern_order_fence_channel(struct tern_net_channel *channel)
{
    tern_fence_stores(); /* partner: the acquire load of a wait, test or get at the target */
    if (tern_unlikely(tern_net != &tern_net_none))
        tern_net->fence(channel);
}

/*
 * A full fence: put, quiet, get between two PEs is Dekker's pattern. It comes last, so that loads
 * from the node's memory stay behind what the network has completed elsewhere.
 */
TERN_INLINE void tern_order_quiet_channel(struct tern_net_channel *channel)
{
    if (tern_unlikely(tern_net != &tern_net_none))
        tern_net->quiet(channel);
    tern_fence_full();
}

/* Performs a quiet if that needs no wait; returns whether it did. */
TERN_INLINE bool tern_order_try_quiet(struct tern_net_channel *channel)
{
    if (!tern_wait_looked(tern_net->is_quiet(channel)))
        return false;
    tern_order_quiet_channel(channel); /* returns at once; orders this PE's own stores */
    return true;
}

/*
 * Before a barrier: completes operations on other nodes. Between PEs of a node, the barrier itself
 * orders stores before it and loads after it.
 */
TERN_INLINE void tern_order_complete(void)
{
    if (tern_unlikely(tern_net != &tern_net_none))
        tern_order_quiet_channel(NULL);
}

/* The same for the default context. */
TERN_INLINE void tern_order_fence(void)
{
    tern_order_fence_channel(NULL);
}

TERN_INLINE void tern_order_quiet(void)
{
    tern_order_quiet_channel(NULL);
}

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* Fence and quiet: order and completion of what this PE has done to others. */
#ifndef TERN_CORE_ORDER_H
#define TERN_CORE_ORDER_H

#include "base/atomics.h"
#include "net/net.h"

/*
 * On the node every operation is done when its call returns; what is left is the order in which
 * others see the stores. A context has no operations of its own to wait for, so all contexts share
 * these.
 */
TERN_INLINE void tern_order_fence(void)
{
    tern_fence_stores(); /* partner: the acquire load of a wait, test or get at the target */
    if (tern_unlikely(tern_net != &tern_net_none))
        tern_net->fence(NULL);
}

/* A full fence: put, quiet, get between two PEs is Dekker's pattern. */
TERN_INLINE void tern_order_quiet(void)
{
    tern_fence_full();
    if (tern_unlikely(tern_net != &tern_net_none))
        tern_net->quiet(NULL);
}

#endif

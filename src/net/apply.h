/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tern_net_apply32 and tern_net_apply64 perform every atomic operation, whether a PE of the node
 * calls it or the engine for another node. So all of them are atomic to each other.
 */
#ifndef TERN_NET_APPLY_H
#define TERN_NET_APPLY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/atomics.h"
#include "base/compiler.h"
#include "net/net.h"

#define WIDTH 32
#include "net/apply.inc"
#undef WIDTH

#define WIDTH 64
#include "net/apply.inc"
#undef WIDTH

/* Copies bytes; an element of 2, 4 or 8 bytes by one store, so that no PE sees a part of it. */
TERN_INLINE void tern_net_store(void *dest, const void *source, size_t bytes)
{
    switch (bytes) {
    case 2:
        __builtin_memcpy(dest, source, 2);
        break;
    case 4:
        __builtin_memcpy(dest, source, 4);
        break;
    case 8:
        __builtin_memcpy(dest, source, 8);
        break;
    default:
        __builtin_memcpy(dest, source, bytes);
    }
}

#endif

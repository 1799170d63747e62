/* SPDX-License-Identifier: BSD-3-Clause */
/* 64-bit atomic operations for the library's own use: locks and signals. */
#ifndef TERN_CORE_AMO_H
#define TERN_CORE_AMO_H

#include <stdbool.h>
#include <stdint.h>

#include "core/far.h"
#include "core/route.h"

/* Those of the API are in api/amo_width.inc; both end in the same processor instructions. */
TERN_INLINE uint64_t tern_amo_fetch64(uint64_t *source, int pe, const char *routine)
{
    uint64_t *at = tern_route_scalar(source, pe);

    if (tern_unlikely(!at))
        return tern_far_amo(TERN_NET_FETCH, 8, source, 0, 0, pe, routine);
    return tern_load_acquire(at);
}

TERN_INLINE uint64_t tern_amo_compare_swap64(uint64_t *dest, uint64_t compare, uint64_t value,
                                             int pe, const char *routine)
{
    uint64_t *at = tern_route_scalar(dest, pe);

    if (tern_unlikely(!at))
        return tern_far_amo(TERN_NET_COMPARE_SWAP, 8, dest, value, compare, pe, routine);
    __atomic_compare_exchange_n(at, &compare, value, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
    tern_route_ring(pe);
    return compare;
}

TERN_INLINE void tern_amo_or64(uint64_t *dest, uint64_t value, int pe, const char *routine)
{
    uint64_t *at = tern_route_scalar(dest, pe);

    if (tern_unlikely(!at)) {
        tern_far_amo(TERN_NET_OR, 8, dest, value, 0, pe, routine);
        return;
    }
    __atomic_fetch_or(at, value, __ATOMIC_ACQ_REL);
    tern_route_ring(pe);
}

TERN_INLINE void tern_amo_add64(uint64_t *dest, uint64_t value, int pe, const char *routine)
{
    uint64_t *at = tern_route_scalar(dest, pe);

    if (tern_unlikely(!at)) {
        tern_far_amo(TERN_NET_ADD, 8, dest, value, 0, pe, routine);
        return;
    }
    tern_fetch_add(at, value);
    tern_route_ring(pe);
}

/* Release: who sees the value sees what this PE stored before. */
TERN_INLINE void tern_amo_set64(uint64_t *dest, uint64_t value, int pe, const char *routine)
{
    uint64_t *at = tern_route_scalar(dest, pe);

    if (tern_unlikely(!at)) {
        tern_far_amo(TERN_NET_SET, 8, dest, value, 0, pe, routine);
        return;
    }
    tern_store_release(at, value);
    tern_route_ring(pe);
}

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* Symmetric arguments of collectives: their check, and peers' addresses of what they publish. */
#ifndef TERN_COLL_SYMMETRIC_H
#define TERN_COLL_SYMMETRIC_H

#include <stdint.h>

#include "core/job.h"
#include "core/remote.h"
#include "core/require.h"
#include "core/route.h"

/*
 * The address of `bytes` bytes at a symmetric offset, in the memory of a PE of this node that is
 * numbered in the world.
 */
static inline void *tern_symmetric_peer_address(uint64_t offset, size_t bytes, int pe,
                                                const char *argument, const char *routine)
{
    void *local = tern_route_local_address(offset);
    void *at_peer = tern_route_array(local, bytes, 1, pe);

    if (tern_unlikely(!at_peer))
        at_peer = tern_remote_find(local, bytes, 1, pe, argument, routine).address;
    return at_peer;
}

/* Ends the program unless the bytes are this PE's symmetric memory. No bytes may be anywhere. */
static inline void tern_symmetric_check(const void *addr, size_t bytes, const char *argument,
                                        const char *routine)
{
    if (tern_unlikely(bytes && !tern_route_array(addr, bytes, 1, tern_job.pe)))
        tern_require_symmetric(addr, bytes, argument, routine);
}

#endif

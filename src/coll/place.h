/* SPDX-License-Identifier: BSD-3-Clause */
/* Symmetric addresses that are passed between PEs as places, see core/route.h. */
#ifndef TERN_COLL_PLACE_H
#define TERN_COLL_PLACE_H

#include <stdint.h>

#include "core/job.h"
#include "core/remote.h"
#include "core/require.h"
#include "core/route.h"

/* A place (core/route.h) that has `bytes` bytes, in the memory of a world PE. */
static inline void *tern_place_at(uint64_t place, size_t bytes, int pe, const char *argument,
                                  const char *routine)
{
    void *here = tern_route_here(place);
    void *there = tern_route_array(here, bytes, 1, pe);

    if (tern_unlikely(!there))
        there = tern_remote_translate(here, bytes, 1, pe, argument, routine);
    return there;
}

/* Ends the program unless the bytes are this PE's symmetric memory. No bytes may be anywhere. */
static inline void tern_place_check(const void *addr, size_t bytes, const char *argument,
                                    const char *routine)
{
    if (tern_unlikely(bytes && !tern_route_array(addr, bytes, 1, tern_job.pe)))
        tern_require_symmetric(addr, bytes, argument, routine);
}

#endif

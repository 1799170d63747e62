/* SPDX-License-Identifier: BSD-3-Clause */
/* Symmetric addresses that are passed between PEs: where executables are mapped may differ. */
#ifndef TERN_COLL_PLACE_H
#define TERN_COLL_PLACE_H

#include <stdint.h>

#include "core/far.h"
#include "core/job.h"
#include "core/route.h"
#include "mem/image.h"

/* The distance from the start of the segment; the top bit tells static data from the heap. */
#define TERN_PLACE_STATIC (UINT64_C(1) << 63)

static inline uint64_t tern_place_of(const void *addr)
{
    size_t offset = (uintptr_t)addr - tern_route.heap;

    if (tern_likely(offset < tern_route.heap_bytes + TERN_ROUTE_SLACK))
        return offset;
    return ((uintptr_t)addr - tern_image_own()->start) | TERN_PLACE_STATIC;
}

/* That place in this PE's memory. */
static inline void *tern_place_here(uint64_t place)
{
    if (tern_likely(!(place & TERN_PLACE_STATIC)))
        return (void *)(tern_route.heap + place);
    return (void *)(tern_image_own()->start + (place & ~TERN_PLACE_STATIC));
}

/* That place, which has `bytes` bytes, in the memory of a world PE. */
static inline void *tern_place_at(uint64_t place, size_t bytes, int pe, const char *argument,
                                  const char *routine)
{
    void *here = tern_place_here(place);
    void *there = tern_route_array(here, bytes, 1, pe);

    if (tern_unlikely(!there))
        there = tern_far_translate(here, bytes, 1, pe, argument, routine);
    return there;
}

/* Ends the program unless the bytes are this PE's symmetric memory. No bytes may be anywhere. */
static inline void tern_place_check(const void *addr, size_t bytes, const char *argument,
                                    const char *routine)
{
    if (tern_unlikely(bytes && !tern_route_array(addr, bytes, 1, tern_job.pe)))
        tern_far_require_symmetric(addr, bytes, argument, routine);
}

#endif

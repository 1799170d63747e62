/* SPDX-License-Identifier: BSD-3-Clause */
/* Shared by the collectives on teams and those on active sets. */
#ifndef TERN_API_COLL_H
#define TERN_API_COLL_H

#include <stddef.h>
#include <stdint.h>

#include "api/export.h"
#include "base/log.h"
#include "coll/coll.h"
#include "coll/reduction_kernel.h"

/* No segment has SIZE_MAX bytes, so address translation refuses such a length. */
TERN_INLINE size_t bytes_of(size_t nelems, size_t size)
{
    size_t bytes;

    return __builtin_mul_overflow(nelems, size, &bytes) ? SIZE_MAX : bytes;
}

TERN_INLINE void check_root(const struct tern_team *team, int root, const char *routine)
{
    if (tern_unlikely((unsigned)root >= (unsigned)team->pes.size))
        tern_fatal(routine, "PE_root is %d, outside 0..%d", root, team->pes.size - 1);
}

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks on entry that are not part of a translation; their slow halves are in core/far.h. */
#ifndef TERN_API_CHECK_H
#define TERN_API_CHECK_H

#include "core/far.h"
#include "core/job.h"
#include "core/route.h"

/* Between init and finalize. */
TERN_INLINE void require_job(const char *routine)
{
    if (tern_unlikely(!tern_job_runs()))
        tern_far_require_job(routine);
}

/* The number of this PE in the world, for the translation below. */
TERN_INLINE int own_pe(void)
{
    return tern_job.pe;
}

/* This PE's own copy of a symmetric object, which other PEs change; implies require_job(). */
TERN_INLINE void require_own_scalar(const void *addr, size_t bytes, const char *argument,
                                    const char *routine)
{
    if (tern_unlikely(!tern_route_scalar(addr, own_pe())))
        tern_far_require_symmetric(addr, bytes, argument, routine);
}

TERN_INLINE void require_own_array(const void *addr, size_t n, size_t size, const char *argument,
                                   const char *routine)
{
    if (tern_unlikely(!tern_route_array(addr, n, size, own_pe())) && n)
        tern_far_require_symmetric(addr, n > SIZE_MAX / size ? SIZE_MAX : n * size, argument,
                                   routine);
}

#endif

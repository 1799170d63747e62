/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks of arguments that name this PE's own symmetric objects, which others change. */
#ifndef TERN_API_OWN_H
#define TERN_API_OWN_H

#include "core/far.h"
#include "core/route.h"

/* The number of this PE in the world, for the translation below. */
TERN_INLINE int own_pe(void)
{
    return tern_route.first + tern_route.me;
}

/* The program ends unless the object is symmetric and the job runs. */
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

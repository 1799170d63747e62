/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Checks on entry that address translation does not make. Their slow paths are in core/require.h.
 */
#ifndef TERN_API_CHECK_H
#define TERN_API_CHECK_H

#include "core/job.h"
#include "core/require.h"
#include "core/route.h"

/* Ends the program unless it is between init and finalize. */
TERN_INLINE void require_job(const char *routine)
{
    if (tern_unlikely(!tern_job_runs()))
        tern_require_job(routine);
}

/* The number of this PE in the world. */
TERN_INLINE int own_pe(void)
{
    return tern_job.pe;
}

/* Ends the program unless addr is this PE's copy of a symmetric word. Implies require_job(). */
TERN_INLINE void require_own_word(const void *addr, unsigned width, const char *argument,
                                  const char *routine)
{
    if (tern_unlikely(!tern_route_word(addr, width, own_pe())))
        tern_require_words(addr, 1, width, argument, routine);
}

/* The same for n such words. */
TERN_INLINE void require_own_words(const void *addr, size_t n, unsigned width, const char *argument,
                                   const char *routine)
{
    if (tern_unlikely(!tern_route_array(addr, n, width, own_pe()) || (uintptr_t)addr % width) && n)
        tern_require_words(addr, n, width, argument, routine);
}

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the routines of the Fortran interface share. They call public C routines and nothing else of
 * the library: so a profiling library that wraps those sees Fortran programs as well.
 */
#ifndef TERN_FORTRAN_FORTRAN_H
#define TERN_FORTRAN_FORTRAN_H

#include <stddef.h>

#include "base/compiler.h"
#include "client/fatal.h"

#pragma GCC visibility push(default)
#include "fortran/prototypes.h"
#pragma GCC visibility pop

/*
 *     TERN_FORTRAN(void, shmem_fence, SHMEM_FENCE)(void) { ... }
 *
 * defines shmem_fence_(), as most compilers call it, and its other names: shmem_fence__() of those
 * that mark a name that has an underscore itself, and SHMEM_FENCE(). These are weak: in a static
 * program they must not be in the way of what else is called so.
 */
#define TERN_FORTRAN(result, name, NAME)                                                           \
    extern __typeof__(name##_) name##__ TERN_ALSO(#name "_"), NAME TERN_ALSO(#name "_");           \
    result name##_
#define TERN_ALSO(name) __attribute__((weak, alias(name), visibility("default")))

/* An argument that says how many elements there are. */
TERN_INLINE size_t tern_fortran_count(int n, const char *argument, const char *routine)
{
    if (tern_unlikely(n < 0))
        tern_client_fatal(routine, "%s is %d: a count of elements is not negative", argument, n);
    return (size_t)n;
}

#endif

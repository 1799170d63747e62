/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Shared by the routines of the Fortran interface. They call only public C routines of the library,
 * so a profiling library that wraps those sees Fortran programs as well.
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
 * defines shmem_fence_(), the name that most compilers use, and two weak aliases: shmem_fence__()
 * for compilers that add a second underscore to a name with one, and SHMEM_FENCE(). They are weak
 * so that a static program may define these names itself.
 */
#define TERN_FORTRAN(result, name, NAME)                                                           \
    extern __typeof__(name##_) name##__ TERN_ALSO(#name "_"), NAME TERN_ALSO(#name "_");           \
    result name##_
#define TERN_ALSO(name) __attribute__((weak, alias(name), visibility("default")))

/* Ends the program if an argument that counts elements is negative. */
TERN_INLINE size_t tern_fortran_count(int n, const char *argument, const char *routine)
{
    if (tern_unlikely(n < 0))
        tern_client_fatal(routine, "%s is %d: a count of elements is not negative", argument, n);
    return (size_t)n;
}

#endif

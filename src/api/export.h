/* SPDX-License-Identifier: BSD-3-Clause */
/* How a public routine is defined and named. */
#ifndef TERN_API_EXPORT_H
#define TERN_API_EXPORT_H

/* The library hides what it does not declare here; and here definitions meet declarations. */
#pragma GCC visibility push(default)
#include <pshmem.h>
#include <shmem.h>
#pragma GCC visibility pop

#include "base/compiler.h"

/*
 *     TERN_API(void, shmem_fence)(void) { ... }
 *
 * defines pshmem_fence(), and shmem_fence() as a weak second name for it: a program or a profiling
 * library may define its own shmem_fence() and call pshmem_fence() in it.
 */
#define TERN_API(result, name) TERN_API_NAMED(result, name)
#define TERN_API_NAMED(result, name)                                                               \
    extern __typeof__(name) name __attribute__((weak, alias("p" #name)));                          \
    result p##name

/* What a message calls the routine that it is used in. */
#define TERN_ROUTINE (__func__ + 1)

/*
 * Templates are files that are included once for each element type or size:
 *
 *     #define TEMPLATE "api/scalar.inc"
 *     #include "api/types/rma.inc"
 *
 * types/... defines NAME, how the type is called in names of routines, and TYPE; for types of
 * atomic operations also WIDTH, in bits. For a size it defines NAME and SIZE, in bytes.
 */
/* shmem_float_put, or shmem_ctx_float_put: form_plain.h and form_ctx.h define FORM. */
#define TYPED(verb) TERN_PASTE(FORM, NAME, _, verb, )

/* A function of the template's own: float_holds. */
#define LOCAL(name) TERN_PASTE(NAME, _, name, , )

#endif

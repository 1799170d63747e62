/* SPDX-License-Identifier: BSD-3-Clause */
/* Macros that define and name public routines. */
#ifndef TERN_API_EXPORT_H
#define TERN_API_EXPORT_H

/*
 * The library exports only what is declared here. The compiler checks definitions against these
 * declarations.
 */
#pragma GCC visibility push(default)
#include <pshmem.h>
#include <shmem.h>
#pragma GCC visibility pop

#include "base/compiler.h"

/*
 *     TERN_API(void, shmem_fence)(void) { ... }
 *
 * defines pshmem_fence(), and shmem_fence() as a weak alias of it. A program or a profiling library
 * may define its own shmem_fence() and call pshmem_fence() in it.
 */
#define TERN_API(result, name) TERN_API_NAMED(result, name)
#define TERN_API_NAMED(result, name)                                                               \
    extern __typeof__(name) name __attribute__((weak, alias("p" #name)));                          \
    result p##name

/* The name of the surrounding routine, for messages. */
#define TERN_ROUTINE (__func__ + 1)

/*
 * Templates are files that are included once for each element type or size:
 *
 *     #define TEMPLATE "api/scalar.inc"
 *     #include "api/types/rma.inc"
 *
 * For each type, types/... defines TYPE and NAME, the type's name in names of routines; for atomic
 * operations also WIDTH, in bits. For each size it defines NAME and SIZE, in bytes.
 */
/* shmem_float_put or shmem_ctx_float_put: form_plain.h and form_ctx.h define FORM. */
#define TYPED(verb) TERN_PASTE(FORM, NAME, _, verb, )

/* A static function of the template: float_holds. */
#define LOCAL(name) TERN_PASTE(NAME, _, name, , )

#endif

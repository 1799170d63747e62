/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks of what a program passes to a routine; each ends the program with a message. */
#ifndef TERN_CORE_REQUIRE_H
#define TERN_CORE_REQUIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/compiler.h"
#include "core/job.h"

/* routine and argument are their names in the standard. */

/* Ends the program unless [addr, addr + bytes) is symmetric memory of this PE. */
void tern_require_symmetric(const void *addr, size_t bytes, const char *argument,
                            const char *routine) TERN_COLD;

/*
 * The same before an operation on a PE. mapped: the PE is on this node, where static data is
 * accessible only if it is shared.
 */
void tern_require_symmetric_at(const void *addr, size_t bytes, bool mapped, const char *argument,
                               const char *routine) TERN_COLD;

/* The same for n words of that width in bytes; also checks their alignment. */
void tern_require_words(const void *addr, size_t n, unsigned width, const char *argument,
                        const char *routine) TERN_COLD;

/* Ends the program unless init has been called and finalize has not. */
void tern_require_job(const char *routine) TERN_COLD;

/* "PE 9 is outside 0..7" */
void tern_require_refuse_pe(int pe, int n_pes, const char *routine) TERN_COLD TERN_NORETURN;

/* Ends the program unless the job has that PE. */
TERN_INLINE void tern_require_pe(int pe, const char *routine)
{
    if (tern_unlikely((unsigned)pe >= (unsigned)tern_job.n_pes))
        tern_require_refuse_pe(pe, tern_job.n_pes, routine);
}

/* "dest 0x7f0000000002 is not aligned: it must be a multiple of 8" */
void tern_require_refuse_alignment(const void *addr, unsigned width, const char *argument,
                                   const char *routine) TERN_COLD TERN_NORETURN;

/* Whether addr is a multiple of width, a power of two. */
TERN_INLINE bool tern_require_is_aligned(const void *addr, unsigned width)
{
    return !((uintptr_t)addr & (width - 1));
}

/* Ends the program if it is not. */
TERN_INLINE void tern_require_aligned(const void *addr, unsigned width, const char *argument,
                                      const char *routine)
{
    if (tern_unlikely(!tern_require_is_aligned(addr, width)))
        tern_require_refuse_alignment(addr, width, argument, routine);
}

#endif

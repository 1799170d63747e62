/* SPDX-License-Identifier: BSD-3-Clause */
/* Names for the compiler's extensions to C11, so that the rest of the tree reads as plain C. */
#ifndef TERN_BASE_COMPILER_H
#define TERN_BASE_COMPILER_H

#define tern_likely(x) __builtin_expect(!!(x), 1)
#define tern_unlikely(x) __builtin_expect(!!(x), 0)

#define TERN_NOINLINE __attribute__((noinline))
#define TERN_COLD __attribute__((cold, noinline))
#define TERN_NORETURN __attribute__((noreturn))
#define TERN_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))
#define TERN_ALIGNED(n) __attribute__((aligned(n)))
#define TERN_UNUSED __attribute__((unused))
#define TERN_NO_SANITIZER __attribute__((noinline, no_sanitize("address", "thread", "undefined")))
#define TERN_INLINE static inline __attribute__((always_inline))

/* Joins five parts into one name, after expanding them; templates name functions with it. */
#define TERN_PASTE(a, b, c, d, e) TERN_PASTE_TOKENS(a, b, c, d, e)
#define TERN_PASTE_TOKENS(a, b, c, d, e) a##b##c##d##e

/* The bytes of a cache line, to avoid false sharing. */
#define TERN_LINE 64

/*
 * Marks every variable with static storage that is not constant: it is one PE's state. PEs are
 * processes, so the mark has no effect, except in the build where PEs are threads of one process,
 * in which ThreadSanitizer sees every access of every PE.
 */
#ifdef TERN_PES_ARE_THREADS
#define TERN_PE_LOCAL _Thread_local
#else
#define TERN_PE_LOCAL
#endif

#endif

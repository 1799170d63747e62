/* SPDX-License-Identifier: BSD-3-Clause */
/* The few memory-ordering primitives that the library uses, each with its partner. */
#ifndef TERN_BASE_ATOMICS_H
#define TERN_BASE_ATOMICS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/compiler.h"
#include "base/tsan.h"

/* Shorthands for the __atomic builtins, which work on plain types in shared memory. */
#define tern_load_relaxed(p) __atomic_load_n((p), __ATOMIC_RELAXED)
#define tern_load_acquire(p) __atomic_load_n((p), __ATOMIC_ACQUIRE)
#define tern_store_relaxed(p, v) __atomic_store_n((p), (v), __ATOMIC_RELAXED)
#define tern_store_release(p, v) __atomic_store_n((p), (v), __ATOMIC_RELEASE)
#define tern_fetch_add(p, v) __atomic_fetch_add((p), (v), __ATOMIC_ACQ_REL)

/* Acquires a word that another PE may have put; the partner is the fence before that put. */
#define tern_load_flag(p) tern_tsan_read_flag(tern_load_acquire(p))

/* Whether a word is not zero: a relaxed load, which compilers don't fold into the comparison. */
TERN_INLINE bool tern_nonzero(const uint32_t *p)
{
#if defined(__x86_64__) && defined(__GCC_ASM_FLAG_OUTPUTS__)
    bool nonzero;

    __asm__ volatile("cmpl $0, %1" : "=@ccne"(nonzero) : "m"(*p));
    return nonzero;
#else
    return tern_load_relaxed(p) != 0;
#endif
}

/* Keeps the compiler from moving accesses across; the processor may. */
#define tern_compiler_barrier() __atomic_signal_fence(__ATOMIC_SEQ_CST)

/* Earlier stores become visible before later stores; the partner is an acquire load. */
TERN_INLINE void tern_fence_stores(void)
{
    tern_tsan_publish();
#ifdef __x86_64__
    tern_compiler_barrier(); /* the processor keeps the order of stores */
#elif defined(__aarch64__)
    __asm__ volatile("dmb ishst" ::: "memory");
#else
    __atomic_thread_fence(__ATOMIC_RELEASE);
#endif
}

/*
 * Earlier loads complete before later loads and stores: a later load returns no older value, and a
 * PE that sees a later store may overwrite what the earlier loads have read. The partner is the
 * fence or release at that PE.
 */
TERN_INLINE void tern_fence_loads(void)
{
#ifdef __x86_64__
    tern_compiler_barrier(); /* the processor keeps the order of loads, and stores stay behind */
#elif defined(__aarch64__)
    __asm__ volatile("dmb ishld" ::: "memory");
#else
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
#endif
    tern_tsan_take_over();
}

/* Orders earlier accesses before later ones, stores before loads included (Dekker's pattern). */
TERN_INLINE void tern_fence_full(void)
{
    tern_tsan_publish();
#ifdef __x86_64__
    /* A locked operation on the stack orders as mfence does, in a quarter of the time. */
    __asm__ volatile("lock; orl $0, (%%rsp)" ::: "memory", "cc");
#elif defined(__aarch64__)
    __asm__ volatile("dmb ish" ::: "memory");
#else
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
#endif
}

/* Tells the core that this is a spin loop. */
TERN_INLINE void tern_cpu_relax(void)
{
#ifdef __x86_64__
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("isb" ::: "memory");
#endif
}

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* The few memory-ordering primitives that the library uses, each with its partner. */
#ifndef TERN_BASE_ATOMICS_H
#define TERN_BASE_ATOMICS_H

#include "base/compiler.h"

/* Shorthands for the __atomic builtins, which work on plain types in memory that others map. */
#define tern_load_relaxed(p) __atomic_load_n((p), __ATOMIC_RELAXED)
#define tern_load_acquire(p) __atomic_load_n((p), __ATOMIC_ACQUIRE)
#define tern_store_relaxed(p, v) __atomic_store_n((p), (v), __ATOMIC_RELAXED)
#define tern_store_release(p, v) __atomic_store_n((p), (v), __ATOMIC_RELEASE)
#define tern_fetch_add(p, v) __atomic_fetch_add((p), (v), __ATOMIC_ACQ_REL)

/* Keeps the compiler from moving accesses across; the processor may. */
#define tern_compiler_barrier() __atomic_signal_fence(__ATOMIC_SEQ_CST)

/* Earlier stores become visible before later stores; the partner is an acquire load. */
TERN_INLINE void tern_fence_stores(void)
{
#ifdef __aarch64__
    __asm__ volatile("dmb ishst" ::: "memory");
#else
    __atomic_thread_fence(__ATOMIC_RELEASE);
#endif
}

/* Everything before is visible before anything after, loads included (Dekker's pattern). */
TERN_INLINE void tern_fence_full(void)
{
#ifdef __x86_64__
    /* A locked operation on the stack orders as mfence does, at a quarter of its price. */
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

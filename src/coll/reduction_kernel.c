/* SPDX-License-Identifier: BSD-3-Clause */
/* The loops that combine elements: one template, included for each type and level of vectors. */
#include "coll/reduction_kernel.h"

#include "base/compiler.h"

/*
 * Operands are equal or disjoint, so iterations do not depend on each other; a check at run time
 * would take out == a for an overlap. gcc vectorizes such loops only at -O3.
 */
#ifdef __clang__
#define KERNEL_INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#else
#define KERNEL_INDEPENDENT _Pragma("GCC ivdep")
#pragma GCC optimize("O3")
#endif

/*
 * All levels compute the same bits: an element of the result depends on two elements only, and no
 * loop multiplies and then adds, which some levels could do with one rounding.
 */
#define KERNEL_FILE "coll/reduction_kernel.inc"
#define KERNEL_LEVEL plain
#define KERNEL_TARGET
#include "coll/reduction_kernel_types.inc"
#undef KERNEL_LEVEL
#undef KERNEL_TARGET

#ifdef __x86_64__
#define KERNEL_LEVEL avx2
#define KERNEL_TARGET __attribute__((target("avx2")))
#include "coll/reduction_kernel_types.inc"
#undef KERNEL_LEVEL
#undef KERNEL_TARGET

#define KERNEL_LEVEL avx512
#define KERNEL_TARGET __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl")))
#include "coll/reduction_kernel_types.inc"
#undef KERNEL_LEVEL
#undef KERNEL_TARGET
#define KERNEL_AT(level) level
#else
#define KERNEL_AT(level) plain
#endif

/*
 * These types have few vector instructions or none: their loops are plain at all levels, and clang
 * warns of an attribute that they can't follow.
 */
#undef KERNEL_INDEPENDENT
#define KERNEL_INDEPENDENT
#define KERNEL_LEVEL plain
#define KERNEL_TARGET
#include "coll/reduction_kernel_plain_types.inc"
#undef KERNEL_LEVEL
#undef KERNEL_TARGET
#undef KERNEL_FILE

#define KERNEL_FILE "coll/reduction_kernel_table.inc"
#define KERNEL_LOOPS(op, name)                                                                     \
    {                                                                                              \
        TERN_PASTE(op, _, name, _, plain), TERN_PASTE(op, _, name, _, KERNEL_AT(avx2)),            \
            TERN_PASTE(op, _, name, _, KERNEL_AT(avx512))                                          \
    }
#include "coll/reduction_kernel_types.inc"
#undef KERNEL_LOOPS

#define KERNEL_LOOPS(op, name)                                                                     \
    {                                                                                              \
        TERN_PASTE(op, _, name, _, plain), TERN_PASTE(op, _, name, _, plain),                      \
            TERN_PASTE(op, _, name, _, plain)                                                      \
    }
#include "coll/reduction_kernel_plain_types.inc"

/* SPDX-License-Identifier: BSD-3-Clause */
/* The operations of reductions and scans: one set of loops for each type. */
#ifndef TERN_COLL_REDUCTION_KERNEL_H
#define TERN_COLL_REDUCTION_KERNEL_H

#include <limits.h>
#include <stddef.h>
#include <stdint.h>

#include "base/vectors.h"

/*
 * One operation on one type, by the level of vectors. All levels compute the same bits.
 */
struct tern_reduction_kernel {
    size_t size; /* of an element */
    void (*combine[TERN_N_VECTORS])(void *out, const void *a, const void *b, size_t n);
};

/*
 * out[i] = a[i] op b[i]. out may be a or b, and is disjoint from them otherwise. The order of the
 * operands is kept, so all members compute the same bits.
 */
TERN_INLINE void tern_reduction_combine(const struct tern_reduction_kernel *kernel, void *out,
                                        const void *a, const void *b, size_t n)
{
    kernel->combine[tern_vectors](out, a, b, n);
}

/*
 * The operations on one type, named as in the standard's routines; combine is NULL for those that
 * the type does not have.
 */
struct tern_reduction_kernels {
    struct tern_reduction_kernel sum, prod, min, max, and, or, xor;
};

extern const struct tern_reduction_kernels tern_reduction_kernels_int8,
    tern_reduction_kernels_int16, tern_reduction_kernels_int32, tern_reduction_kernels_int64,
    tern_reduction_kernels_uint8, tern_reduction_kernels_uint16, tern_reduction_kernels_uint32,
    tern_reduction_kernels_uint64, tern_reduction_kernels_float, tern_reduction_kernels_double,
    tern_reduction_kernels_longdouble, tern_reduction_kernels_complexf,
    tern_reduction_kernels_complexd;

#if LONG_MAX == INT64_MAX
#define TERN_REDUCTION_KERNELS_LONG tern_reduction_kernels_int64
#define TERN_REDUCTION_KERNELS_ULONG tern_reduction_kernels_uint64
#else
#define TERN_REDUCTION_KERNELS_LONG tern_reduction_kernels_int32
#define TERN_REDUCTION_KERNELS_ULONG tern_reduction_kernels_uint32
#endif

/*
 * The set for a C type; types of equal width and sign share one:
 * &TERN_REDUCTION_KERNELS_OF(int)->sum
 */
/* clang-format off */
#define TERN_REDUCTION_KERNELS_OF(type)                                                            \
    _Generic((type)0,                                                                              \
        char: CHAR_MIN < 0 ? &tern_reduction_kernels_int8 : &tern_reduction_kernels_uint8,         \
        signed char: &tern_reduction_kernels_int8,                                                 \
        short: &tern_reduction_kernels_int16,                                                      \
        int: &tern_reduction_kernels_int32,                                                        \
        long: &TERN_REDUCTION_KERNELS_LONG,                                                        \
        long long: &tern_reduction_kernels_int64,                                                  \
        unsigned char: &tern_reduction_kernels_uint8,                                              \
        unsigned short: &tern_reduction_kernels_uint16,                                            \
        unsigned: &tern_reduction_kernels_uint32,                                                  \
        unsigned long: &TERN_REDUCTION_KERNELS_ULONG,                                              \
        unsigned long long: &tern_reduction_kernels_uint64,                                        \
        float: &tern_reduction_kernels_float,                                                      \
        double: &tern_reduction_kernels_double,                                                    \
        long double: &tern_reduction_kernels_longdouble,                                           \
        float _Complex: &tern_reduction_kernels_complexf,                                          \
        double _Complex: &tern_reduction_kernels_complexd)
/* clang-format on */

#endif

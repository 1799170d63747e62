/* SPDX-License-Identifier: BSD-3-Clause */
/* The loops that combine elements: one template, included for each type. */
#include "coll/reduction_kernel.h"

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

#define KERNEL_ORDERED
#define KERNEL_BITWISE

#define KERNEL_NAME int8
#define KERNEL_TYPE int8_t
#define KERNEL_WIDE uint32_t
#include "coll/reduction_kernel.inc"

#define KERNEL_NAME int16
#define KERNEL_TYPE int16_t
#define KERNEL_WIDE uint32_t
#include "coll/reduction_kernel.inc"

#define KERNEL_NAME int32
#define KERNEL_TYPE int32_t
#define KERNEL_WIDE uint32_t
#include "coll/reduction_kernel.inc"

#define KERNEL_NAME int64
#define KERNEL_TYPE int64_t
#define KERNEL_WIDE uint64_t
#include "coll/reduction_kernel.inc"

#define KERNEL_NAME uint8
#define KERNEL_TYPE uint8_t
#define KERNEL_WIDE uint32_t
#include "coll/reduction_kernel.inc"

#define KERNEL_NAME uint16
#define KERNEL_TYPE uint16_t
#define KERNEL_WIDE uint32_t
#include "coll/reduction_kernel.inc"

#define KERNEL_NAME uint32
#define KERNEL_TYPE uint32_t
#define KERNEL_WIDE uint32_t
#include "coll/reduction_kernel.inc"

#define KERNEL_NAME uint64
#define KERNEL_TYPE uint64_t
#define KERNEL_WIDE uint64_t
#include "coll/reduction_kernel.inc"

#undef KERNEL_BITWISE

#define KERNEL_NAME float
#define KERNEL_TYPE float
#define KERNEL_WIDE float
#include "coll/reduction_kernel.inc"

#define KERNEL_NAME double
#define KERNEL_TYPE double
#define KERNEL_WIDE double
#include "coll/reduction_kernel.inc"

/* These types have no vector instructions, so the loops need no attribute. */
#undef KERNEL_INDEPENDENT
#define KERNEL_INDEPENDENT

#define KERNEL_NAME longdouble
#define KERNEL_TYPE long double
#define KERNEL_WIDE long double
#include "coll/reduction_kernel.inc"

#undef KERNEL_ORDERED

#define KERNEL_NAME complexf
#define KERNEL_TYPE float _Complex
#define KERNEL_WIDE float _Complex
#include "coll/reduction_kernel.inc"

#define KERNEL_NAME complexd
#define KERNEL_TYPE double _Complex
#define KERNEL_WIDE double _Complex
#include "coll/reduction_kernel.inc"

/* SPDX-License-Identifier: BSD-3-Clause */
/* The types of each family of routines, copied from the standard's tables for the tests. */
#ifndef HARNESS_TYPES_H
#define HARNESS_TYPES_H

#include <stddef.h>
#include <stdint.h>

/*
 * The lists have the form X(NAME, TYPE). A test's body for one type is a file of plain C that says
 * TYPE, ROUTINE(put) for shmem_int_put and LOCAL(check_put) for its own functions, and that
 * harness/each_rma_type.inc and its relatives include once a type:
 *
 *     #define TEMPLATE "rma/block.inc"
 *     #include "harness/each_rma_type.inc"
 *     ...
 *     #define X(name, type) check_put_##name();
 *         RMA_TYPES(X)
 *     #undef X
 */
#define HARNESS_JOIN3_(a, b, c) a##b##c
#define HARNESS_JOIN3(a, b, c) HARNESS_JOIN3_(a, b, c)
#define HARNESS_STRING_(a) #a
#define HARNESS_STRING(a) HARNESS_STRING_(a)

#define ROUTINE(verb) HARNESS_JOIN3(shmem_, NAME, _##verb)
#define CTX_ROUTINE(verb) HARNESS_JOIN3(shmem_ctx_, NAME, _##verb)
#define LOCAL(name) HARNESS_JOIN3(name, _, NAME)
#define TYPE_STRING HARNESS_STRING(NAME)

/* clang-format off */

/* Bitwise AMOs. */
#define BITWISE_TYPES(X) \
    X(uint, unsigned int) X(ulong, unsigned long) X(ulonglong, unsigned long long) \
    X(int32, int32_t) X(int64, int64_t) X(uint32, uint32_t) X(uint64, uint64_t)

/* Standard AMOs; point-to-point synchronization. */
#define AMO_TYPES(X) \
    BITWISE_TYPES(X) X(int, int) X(long, long) X(longlong, long long) X(size, size_t) \
    X(ptrdiff, ptrdiff_t)

/* Atomic fetch, set and swap. */
#define SET_TYPES(X) \
    AMO_TYPES(X) X(float, float) X(double, double)

/* Remote memory access, signals, and the collectives that only move data. */
#define RMA_TYPES(X) \
    SET_TYPES(X) X(longdouble, long double) X(char, char) X(schar, signed char) X(short, short) \
    X(uchar, unsigned char) X(ushort, unsigned short) X(int8, int8_t) X(int16, int16_t) \
    X(uint8, uint8_t) X(uint16, uint16_t)

/* Team reductions and, or, xor. */
#define LOGIC_REDUCE_TYPES(X) \
    X(uchar, unsigned char) X(ushort, unsigned short) X(uint, unsigned int) \
    X(ulong, unsigned long) X(ulonglong, unsigned long long) X(int8, int8_t) X(int16, int16_t) \
    X(int32, int32_t) X(int64, int64_t) X(uint8, uint8_t) X(uint16, uint16_t) \
    X(uint32, uint32_t) X(uint64, uint64_t) X(size, size_t)

/* Team reductions max, min. */
#define ORDER_REDUCE_TYPES(X) \
    RMA_TYPES(X)

/* Team reductions sum, prod, and scans. */
#define SUM_REDUCE_TYPES(X) \
    RMA_TYPES(X) X(complexd, double _Complex) X(complexf, float _Complex)

/* The deprecated cswap, finc, inc, fadd and add. */
#define OLD_AMO_TYPES(X) \
    X(int, int) X(long, long) X(longlong, long long)

/* The deprecated fetch, set and swap. */
#define OLD_SET_TYPES(X) \
    OLD_AMO_TYPES(X) X(float, float) X(double, double)

/* The deprecated wait. */
#define OLD_WAIT_TYPES(X) \
    X(short, short) X(int, int) X(long, long) X(longlong, long long)

/* clang-format on */

#endif

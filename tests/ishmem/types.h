/* SPDX-License-Identifier: BSD-3-Clause */
/* The element types of Intel SHMEM's routines, by name and for templates, and values of them. */
#ifndef ISHMEM_TYPES_H
#define ISHMEM_TYPES_H

#include <ishmem.h>
#include <ishmemx.h>
#include <type_traits>

#include "harness/check.h"
#include "harness/oracle.h"

/* X(name in routines, type). */
#define EACH_BITS_TYPE(X)                                                                          \
    X(uint, unsigned int)                                                                          \
    X(ulong, unsigned long)                                                                        \
    X(ulonglong, unsigned long long)                                                               \
    X(int32, int32_t)                                                                              \
    X(int64, int64_t)                                                                              \
    X(uint32, uint32_t)                                                                            \
    X(uint64, uint64_t)
#define EACH_AMO_TYPE(X)                                                                           \
    EACH_BITS_TYPE(X)                                                                              \
    X(int, int)                                                                                    \
    X(long, long)                                                                                  \
    X(longlong, long long)                                                                         \
    X(size, size_t)                                                                                \
    X(ptrdiff, ptrdiff_t)
#define EACH_LOGIC_TYPE(X)                                                                         \
    EACH_BITS_TYPE(X)                                                                              \
    X(schar, signed char)                                                                          \
    X(uchar, unsigned char)                                                                        \
    X(ushort, unsigned short)                                                                      \
    X(int8, int8_t)                                                                                \
    X(int16, int16_t)                                                                              \
    X(uint8, uint8_t)                                                                              \
    X(uint16, uint16_t)                                                                            \
    X(size, size_t)
#define EACH_TYPE(X)                                                                               \
    EACH_AMO_TYPE(X)                                                                               \
    X(float, float)                                                                                \
    X(double, double)                                                                              \
    X(char, char)                                                                                  \
    X(schar, signed char)                                                                          \
    X(short, short)                                                                                \
    X(uchar, unsigned char)                                                                        \
    X(ushort, unsigned short)                                                                      \
    X(int8, int8_t)                                                                                \
    X(int16, int16_t)                                                                              \
    X(uint8, uint8_t)                                                                              \
    X(uint16, uint16_t)

/* X(bits), for routines whose elements are of that size. */
#define EACH_SIZE(X) X(8) X(16) X(32) X(64) X(128)

template <size_t N> struct bytes {
    unsigned char byte[N];
};

/* Any element: bytes that tell PE, index and purpose apart; for numbers, values to compute with. */
template <typename T> void fill(T *array, size_t nelems, int pe, unsigned salt)
{
    if constexpr (std::is_arithmetic_v<T>)
        ORACLE_FILL(T, array, nelems, pe, salt);
    else
        oracle_fill_bytes(array, nelems * sizeof(T), pe, salt);
}

inline int me, n_pes, next, before;

inline void start(const char *program)
{
    ishmem_init();
    check_attach(program);
    me = ishmem_my_pe();
    n_pes = ishmem_n_pes();
    next = (me + 1) % n_pes;
    before = (me + n_pes - 1) % n_pes;
}

inline int finish()
{
    int status = check_report();

    ishmem_finalize();
    return status;
}

#endif

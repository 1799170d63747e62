/* SPDX-License-Identifier: BSD-3-Clause */
/* Every typed routine of extensions/backend_symbols.tsv, on memory of the program's own. */
#include "extensions/backend.h"

#include <shmemx.h>
#include <stdint.h>
#include <string.h>

/* Zero on all PEs, which may use it from then on. */
static void clear(void)
{
    FIND(shmem_barrier_all)();
    memset(heap, 0, 4096);
    FIND(shmem_barrier_all)();
}

/* The macros below make a function for one type each; V is a routine of that type. */
#define V(name, verb) FIND(shmem_##name##_##verb)
#define X(name, verb) FIND(shmemx_##name##_##verb)

/* ---- reductions and scans ---- */

enum { NELEMS = 50 };

/* Sources are 1, 2, 3 ... on each PE, so that every result is known in closed form. */
#define REDUCE(name, type)                                                                         \
    static void reduce_##name(void)                                                                \
    {                                                                                              \
        type *dest = (type *)heap, *source = dest + NELEMS, product = 1;                           \
                                                                                                   \
        clear();                                                                                   \
        for (int i = 0; i < NELEMS; i++)                                                           \
            source[i] = (type)(me + 1);                                                            \
        for (int pe = 0; pe < n; pe++)                                                             \
            product = (type)(product * (type)(pe + 1));                                            \
        CHECK(V(name, max_reduce)(world, dest, source, NELEMS) == 0);                              \
        CHECK(dest[0] == (type)n && dest[NELEMS - 1] == (type)n);                                  \
        CHECK(V(name, min_reduce)(world, dest, source, NELEMS) == 0);                              \
        CHECK(dest[0] == 1 && dest[NELEMS - 1] == 1);                                              \
        CHECK(V(name, sum_reduce)(world, dest, source, NELEMS) == 0);                              \
        CHECK(dest[0] == (type)(n * (n + 1) / 2) && dest[NELEMS - 1] == dest[0]);                  \
        CHECK(V(name, prod_reduce)(world, dest, source, NELEMS) == 0);                             \
        CHECK(dest[0] == product && dest[NELEMS - 1] == product);                                  \
    }

#define REDUCE_BITS(name, type)                                                                    \
    static void reduce_bits_##name(void)                                                           \
    {                                                                                              \
        type *dest = (type *)heap, *source = dest + NELEMS, and = (type)~0, or = 0, xor = 0;       \
                                                                                                   \
        clear();                                                                                   \
        for (int i = 0; i < NELEMS; i++)                                                           \
            source[i] = (type)(me * 5 + 64);                                                       \
        for (int pe = 0; pe < n; pe++) {                                                           \
            and = (type)(and&(type)(pe * 5 + 64));                                                 \
            or = (type)(or | (type)(pe * 5 + 64));                                                 \
            xor = (type)(xor^(type)(pe * 5 + 64));                                                 \
        }                                                                                          \
        CHECK(V(name, and_reduce)(world, dest, source, NELEMS) == 0 && dest[NELEMS - 1] == and);   \
        CHECK(V(name, or_reduce)(world, dest, source, NELEMS) == 0 && dest[NELEMS - 1] == or);     \
        CHECK(V(name, xor_reduce)(world, dest, source, NELEMS) == 0 && dest[NELEMS - 1] == xor);   \
    }

#define SCAN(name, type)                                                                           \
    static void scan_##name(void)                                                                  \
    {                                                                                              \
        type *dest = (type *)heap, *source = dest + NELEMS;                                        \
                                                                                                   \
        clear();                                                                                   \
        for (int i = 0; i < NELEMS; i++)                                                           \
            source[i] = (type)(me + 1);                                                            \
        CHECK(X(name, sum_inscan)(world, dest, source, NELEMS) == 0);                              \
        CHECK(dest[NELEMS - 1] == (type)((me + 1) * (me + 2) / 2));                                \
        CHECK(X(name, sum_exscan)(world, dest, source, NELEMS) == 0);                              \
        CHECK(dest[NELEMS - 1] == (type)(me * (me + 1) / 2));                                      \
    }

/* ---- transfers of elements ---- */

#define SCALARS(name, type)                                                                        \
    static void scalars_##name(void)                                                               \
    {                                                                                              \
        type *dest = (type *)heap;                                                                 \
                                                                                                   \
        clear();                                                                                   \
        V(name, p)(dest, (type)(me + 3), next);                                                    \
        FIND(shmem_quiet)();                                                                       \
        CHECK(V(name, g)(dest, next) == (type)(me + 3));                                           \
        FIND(shmem_barrier_all)();                                                                 \
        CHECK(dest[0] == (type)(previous + 3) && dest[1] == 0);                                    \
    }

#define STRIDED(name, type)                                                                        \
    static void strided_##name(void)                                                               \
    {                                                                                              \
        type *dest = (type *)heap, *source = dest + 20;                                            \
                                                                                                   \
        clear();                                                                                   \
        for (int i = 0; i < 20; i++)                                                               \
            source[i] = (type)(me * 20 + i);                                                       \
        FIND(shmem_barrier_all)();                                                                 \
        V(name, iput)(dest, source, 2, 3, 4, next);                                                \
        FIND(shmem_barrier_all)();                                                                 \
        CHECK(dest[0] == (type)(previous * 20) && dest[1] == 0);                                   \
        CHECK(dest[6] == (type)(previous * 20 + 9) && dest[8] == 0);                               \
        V(name, iget)(dest, source, 1, 5, 4, next);                                                \
        CHECK(dest[3] == (type)(next * 20 + 15));                                                  \
        FIND(shmem_barrier_all)();                                                                 \
        X(name, ibput)(dest, source, 5, 4, 2, 3, next);                                            \
        FIND(shmem_barrier_all)();                                                                 \
        CHECK(dest[11] == (type)(previous * 20 + 9) && dest[12] == 0);                             \
        X(name, ibget)(dest, source, 3, 6, 3, 2, next);                                            \
        CHECK(dest[5] == (type)(next * 20 + 8));                                                   \
    }

/* ---- atomic operations ---- */

#define AMO(name, type)                                                                            \
    static void amo_##name(void)                                                                   \
    {                                                                                              \
        type *dest = (type *)heap, old = 99;                                                       \
                                                                                                   \
        clear();                                                                                   \
        V(name, atomic_set)(dest, 10, next);                                                       \
        V(name, atomic_add)(dest, 5, next);                                                        \
        V(name, atomic_inc)(dest, next);                                                           \
        CHECK(V(name, atomic_fetch)(dest, next) == 16);                                            \
        CHECK(V(name, atomic_fetch_add)(dest, 4, next) == 16);                                     \
        CHECK(V(name, atomic_fetch_inc)(dest, next) == 20);                                        \
        CHECK(V(name, atomic_swap)(dest, 7, next) == 21);                                          \
        CHECK(V(name, atomic_compare_swap)(dest, 7, 8, next) == 7);                                \
        V(name, atomic_fetch_nbi)(&old, dest, next);                                               \
        FIND(shmem_quiet)();                                                                       \
        CHECK(old == 8);                                                                           \
        V(name, atomic_fetch_add_nbi)(&old, dest, 2, next);                                        \
        FIND(shmem_quiet)();                                                                       \
        CHECK(old == 8);                                                                           \
        V(name, atomic_fetch_inc_nbi)(&old, dest, next);                                           \
        FIND(shmem_quiet)();                                                                       \
        CHECK(old == 10);                                                                          \
        V(name, atomic_compare_swap_nbi)(&old, dest, 11, 12, next);                                \
        FIND(shmem_quiet)();                                                                       \
        CHECK(old == 11);                                                                          \
        V(name, atomic_swap_nbi)(&old, dest, 13, next);                                            \
        FIND(shmem_quiet)();                                                                       \
        CHECK(old == 12);                                                                          \
        FIND(shmem_barrier_all)();                                                                 \
        CHECK(dest[0] == 13 && dest[1] == 0);                                                      \
    }

#define AMO_BITS(name, type)                                                                       \
    static void amo_bits_##name(void)                                                              \
    {                                                                                              \
        type *dest = (type *)heap, old = 99;                                                       \
                                                                                                   \
        clear();                                                                                   \
        V(name, atomic_or)(dest, 0x3f, next);                                                      \
        V(name, atomic_and)(dest, 0x3c, next);                                                     \
        V(name, atomic_xor)(dest, 0x0f, next);                                                     \
        CHECK(V(name, atomic_fetch_or)(dest, 0x40, next) == 0x33);                                 \
        CHECK(V(name, atomic_fetch_and)(dest, 0x72, next) == 0x73);                                \
        CHECK(V(name, atomic_fetch_xor)(dest, 0x11, next) == 0x72);                                \
        V(name, atomic_fetch_or_nbi)(&old, dest, 0x80, next);                                      \
        FIND(shmem_quiet)();                                                                       \
        CHECK(old == 0x63);                                                                        \
        V(name, atomic_fetch_and_nbi)(&old, dest, 0xe1, next);                                     \
        FIND(shmem_quiet)();                                                                       \
        CHECK(old == 0xe3);                                                                        \
        V(name, atomic_fetch_xor_nbi)(&old, dest, 0x01, next);                                     \
        FIND(shmem_quiet)();                                                                       \
        CHECK(old == 0xe1);                                                                        \
        FIND(shmem_barrier_all)();                                                                 \
        CHECK(dest[0] == 0xe0 && dest[1] == 0);                                                    \
    }

#define AMO_REAL(name, type)                                                                       \
    static void amo_real_##name(void)                                                              \
    {                                                                                              \
        type *dest = (type *)heap, old = 99;                                                       \
                                                                                                   \
        clear();                                                                                   \
        V(name, atomic_set)(dest, 1.5, next);                                                      \
        CHECK(V(name, atomic_swap)(dest, 2.5, next) == 1.5);                                       \
        CHECK(V(name, atomic_fetch)(dest, next) == 2.5);                                           \
        V(name, atomic_fetch_nbi)(&old, dest, next);                                               \
        FIND(shmem_quiet)();                                                                       \
        CHECK(old == 2.5);                                                                         \
        V(name, atomic_swap_nbi)(&old, dest, 3.5, next);                                           \
        FIND(shmem_quiet)();                                                                       \
        CHECK(old == 2.5);                                                                         \
        FIND(shmem_barrier_all)();                                                                 \
        CHECK(dest[0] == 3.5 && dest[1] == 0);                                                     \
    }

/* ---- waits and tests ---- */

/* The PE before sets three of four variables to 1, 2, 3; the status masks the fourth. */
#define WAIT(name, type)                                                                           \
    static void wait_##name(void)                                                                  \
    {                                                                                              \
        type *ivars = (type *)heap;                                                                \
        const type least[4] = {1, 2, 3, 4};                                                        \
        const int status[4] = {0, 0, 0, 1};                                                        \
        size_t indices[4];                                                                         \
                                                                                                   \
        clear();                                                                                   \
        for (int i = 0; i < 3; i++)                                                                \
            V(name, atomic_set)(&ivars[i], (type)(i + 1), next);                                   \
        V(name, wait_until)(&ivars[1], SHMEM_CMP_EQ, 2);                                           \
        V(name, wait_until_all)(ivars, 4, status, SHMEM_CMP_GE, 1);                                \
        V(name, wait_until_all_vector)(ivars, 4, status, SHMEM_CMP_EQ, least);                     \
        CHECK(V(name, wait_until_any)(ivars, 4, status, SHMEM_CMP_EQ, 3) == 2);                    \
        CHECK(V(name, wait_until_any_vector)(ivars, 4, status, SHMEM_CMP_EQ, least) < 3);          \
        CHECK(V(name, wait_until_some)(ivars, 4, indices, status, SHMEM_CMP_GT, 1) == 2);          \
        CHECK(V(name, wait_until_some_vector)(ivars, 4, indices, status, SHMEM_CMP_EQ, least) ==   \
              3);                                                                                  \
        CHECK(V(name, test)(&ivars[2], SHMEM_CMP_EQ, 3) == 1);                                     \
        CHECK(V(name, test)(&ivars[3], SHMEM_CMP_EQ, 3) == 0);                                     \
        CHECK(V(name, test_all)(ivars, 4, status, SHMEM_CMP_NE, 0) == 1);                          \
        CHECK(V(name, test_all)(ivars, 4, NULL, SHMEM_CMP_NE, 0) == 0);                            \
        CHECK(V(name, test_all_vector)(ivars, 4, status, SHMEM_CMP_EQ, least) == 1);               \
        CHECK(V(name, test_any)(ivars, 4, status, SHMEM_CMP_EQ, 2) == 1);                          \
        CHECK(V(name, test_any_vector)(ivars, 4, status, SHMEM_CMP_GT, least) == SIZE_MAX);        \
        CHECK(V(name, test_some)(ivars, 4, indices, status, SHMEM_CMP_LT, 3) == 2);                \
        CHECK(V(name, test_some_vector)(ivars, 4, indices, NULL, SHMEM_CMP_EQ, least) == 3);       \
    }

/* ---- which types have what ---- */

/* clang-format off */
#define FIXED(T) T(int8, int8_t) T(int16, int16_t) T(int32, int32_t) T(int64, int64_t) \
    T(uint8, uint8_t) T(uint16, uint16_t) T(uint32, uint32_t) T(uint64, uint64_t)
#define REALS(T) T(float, float) T(double, double)
#define LONGEST(T) T(longlong, long long) T(ulonglong, unsigned long long)
#define WORDS(T) T(int32, int32_t) T(int64, int64_t) T(uint32, uint32_t) T(uint64, uint64_t)
#define UNSIGNED(T) T(uint8, uint8_t) T(uint16, uint16_t) T(uint32, uint32_t) T(uint64, uint64_t)
#define LAST(T) T(ulonglong, unsigned long long)
/* clang-format on */

FIXED(REDUCE)
LONGEST(REDUCE)
REALS(REDUCE)
FIXED(REDUCE_BITS)
LAST(REDUCE_BITS)
FIXED(SCAN)
LONGEST(SCAN)
REALS(SCAN)
UNSIGNED(SCALARS)
REALS(SCALARS)
UNSIGNED(STRIDED)
WORDS(AMO)
LONGEST(AMO)
WORDS(AMO_BITS)
LAST(AMO_BITS)
REALS(AMO_REAL)
WORDS(WAIT)
LONGEST(WAIT)

static void single_routines(void)
{
    int *ints = (int *)heap;
    unsigned char *bytes = (unsigned char *)heap + 64;

    clear();
    ints[1] = me;
    bytes[1] = (unsigned char)(0xf0 | me);
    CHECK(FIND(shmem_int_max_reduce)(world, ints, ints + 1, 1) == 0 && ints[0] == n - 1);
    CHECK(FIND(shmem_uchar_and_reduce)(world, bytes, bytes + 1, 1) == 0 && bytes[0] >= 0xf0);
}

void backend_types(void)
{
#define CALL_REDUCE(name, type) reduce_##name();
#define CALL_REDUCE_BITS(name, type) reduce_bits_##name();
#define CALL_SCAN(name, type) scan_##name();
#define CALL_SCALARS(name, type) scalars_##name();
#define CALL_STRIDED(name, type) strided_##name();
#define CALL_AMO(name, type) amo_##name();
#define CALL_AMO_BITS(name, type) amo_bits_##name();
#define CALL_AMO_REAL(name, type) amo_real_##name();
#define CALL_WAIT(name, type) wait_##name();
    FIXED(CALL_REDUCE)
    LONGEST(CALL_REDUCE)
    REALS(CALL_REDUCE)
    FIXED(CALL_REDUCE_BITS)
    LAST(CALL_REDUCE_BITS)
    FIXED(CALL_SCAN)
    LONGEST(CALL_SCAN)
    REALS(CALL_SCAN)
    UNSIGNED(CALL_SCALARS)
    REALS(CALL_SCALARS)
    UNSIGNED(CALL_STRIDED)
    WORDS(CALL_AMO)
    LONGEST(CALL_AMO)
    WORDS(CALL_AMO_BITS)
    LAST(CALL_AMO_BITS)
    REALS(CALL_AMO_REAL)
    WORDS(CALL_WAIT)
    LONGEST(CALL_WAIT)
    single_routines();
}

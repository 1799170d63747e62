/* SPDX-License-Identifier: BSD-3-Clause */
/* Remote memory access: the test of each list of routines, whichever form they have. */
#ifndef ISHMEM_RMA_TEST_H
#define ISHMEM_RMA_TEST_H

#include <cstring>

#include "ishmem/types.h"

constexpr size_t SIZE = 64;
constexpr size_t NELEMS = 17;
constexpr ptrdiff_t DST = 3, SST = 2;
constexpr size_t BSIZE = 2, NBLOCKS = 5;

template <typename T> T dest[SIZE];
template <typename T> T source[SIZE];

/*
 * One transfer between neighbours: every PE does `transfer` and then has in dest what `plain` makes
 * of the old dest and PE from's source.
 */
template <typename T, typename Transfer, typename Plain>
static void moves(const char *name, int from, Transfer transfer, Plain plain)
{
    T expected[SIZE], other[SIZE];

    fill(dest<T>, SIZE, me, 1);
    fill(source<T>, SIZE, me, 2);
    ishmem_barrier_all();
    transfer();
    ishmem_barrier_all();
    fill(expected, SIZE, me, 1);
    fill(other, SIZE, from, 2);
    plain(expected, other);
    check(memcmp(dest<T>, expected, sizeof expected) == 0, name, "wrong elements from PE %d", from);
}

template <typename T> static void copy(T *to, const T *from)
{
    for (size_t i = 0; i < NELEMS; i++)
        to[i] = from[i];
}

template <typename T> static void copy_strided(T *to, const T *from)
{
    for (size_t i = 0; i < NELEMS; i++)
        to[i * DST] = from[i * SST];
}

template <typename T> static void copy_blocks(T *to, const T *from)
{
    for (size_t i = 0; i < NBLOCKS; i++)
        for (size_t j = 0; j < BSIZE; j++)
            to[i * (DST + BSIZE) + j] = from[i * (SST + BSIZE) + j];
}

template <typename D, typename S> struct contiguous {
    void (*put)(D *, const S *, size_t, int);
    void (*get)(D *, const S *, size_t, int);
    void (*put_nbi)(D *, const S *, size_t, int);
    void (*get_nbi)(D *, const S *, size_t, int);
};

template <typename D, typename S> struct strided {
    void (*iput)(D *, const S *, ptrdiff_t, ptrdiff_t, size_t, int);
    void (*iget)(D *, const S *, ptrdiff_t, ptrdiff_t, size_t, int);
    void (*ibput)(D *, const S *, ptrdiff_t, ptrdiff_t, size_t, size_t, int);
    void (*ibget)(D *, const S *, ptrdiff_t, ptrdiff_t, size_t, size_t, int);
};

template <typename T> struct scalar {
    void (*p)(T *, T, int);
    T (*g)(const T *, int);
};

template <typename T, typename E>
static void test(const contiguous<E, E> &c, size_t nelems = NELEMS)
{
    moves<T>(
        "put", before, [&] { c.put(dest<T>, source<T>, nelems, next); }, copy<T>);
    moves<T>(
        "get", next, [&] { c.get(dest<T>, source<T>, nelems, next); }, copy<T>);
    moves<T>(
        "put_nbi", before,
        [&] {
            c.put_nbi(dest<T>, source<T>, nelems, next);
            ishmem_quiet();
        },
        copy<T>);
    moves<T>(
        "get_nbi", next,
        [&] {
            c.get_nbi(dest<T>, source<T>, nelems, next);
            ishmem_quiet();
        },
        copy<T>);
}

template <typename T, typename E> static void test(const strided<E, E> &c)
{
    constexpr ptrdiff_t dst = DST + BSIZE, sst = SST + BSIZE;

    moves<T>(
        "iput", before, [&] { c.iput(dest<T>, source<T>, DST, SST, NELEMS, next); },
        copy_strided<T>);
    moves<T>(
        "iget", next, [&] { c.iget(dest<T>, source<T>, DST, SST, NELEMS, next); }, copy_strided<T>);
    moves<T>(
        "ibput", before, [&] { c.ibput(dest<T>, source<T>, dst, sst, BSIZE, NBLOCKS, next); },
        copy_blocks<T>);
    moves<T>(
        "ibget", next, [&] { c.ibget(dest<T>, source<T>, dst, sst, BSIZE, NBLOCKS, next); },
        copy_blocks<T>);
}

template <typename T> static void test(const scalar<T> &c)
{
    auto plain = [](T *to, const T *from) { to[7] = from[9]; };

    moves<T>(
        "p", before, [&] { c.p(&dest<T>[7], source<T>[9], next); }, plain);
    moves<T>(
        "g", next, [&] { dest<T>[7] = c.g(&source<T>[9], next); }, plain);
}

#endif

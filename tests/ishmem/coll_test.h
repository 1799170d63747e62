/* SPDX-License-Identifier: BSD-3-Clause */
/* Collectives: the test of each list of routines, whichever form they have. */
#ifndef ISHMEM_COLL_TEST_H
#define ISHMEM_COLL_TEST_H

#include <cstring>
#include <initializer_list>

#include "ishmem/types.h"

constexpr int MAX_PES = 64;
constexpr size_t NELEMS = 5;

template <typename T> T dest[MAX_PES * NELEMS];
template <typename T> T source[MAX_PES * NELEMS];

/* A team: its PEs are start, start + stride, ... */
struct team {
    ishmem_team_t handle;
    int start, stride, size;

    int pe(int member) const
    {
        return start + member * stride;
    }
    int member() const
    {
        return (me - start) / stride;
    }
};

static team world, every_second;

/* E is T, or void where elements are bytes. */
template <typename E> struct data {
    int (*alltoall)(ishmem_team_t, E *, const E *, size_t);
    int (*broadcast)(ishmem_team_t, E *, const E *, size_t, int);
    int (*collect)(ishmem_team_t, E *, const E *, size_t);
    int (*fcollect)(ishmem_team_t, E *, const E *, size_t);
};

template <typename E> struct data_of_all {
    int (*alltoall)(E *, const E *, size_t);
    int (*broadcast)(E *, const E *, size_t, int);
    int (*collect)(E *, const E *, size_t);
    int (*fcollect)(E *, const E *, size_t);
};

template <typename T> using fold = int (*)(ishmem_team_t, T *, const T *, size_t);
template <typename T> using fold_of_all = int (*)(T *, const T *, size_t);

/* What the calling PE passes to one of the collectives, whichever form it is called by. */
template <typename T, typename Call, typename Oracle>
static void test(const char *name, const team &t, Call call, size_t nelems, Oracle oracle)
{
    T expected[MAX_PES * NELEMS];

    fill(dest<T>, MAX_PES * NELEMS, me, 1);
    fill(expected, MAX_PES * NELEMS, me, 1);
    oracle(expected);
    ishmem_sync_all();
    if (t.handle != ISHMEM_TEAM_INVALID) {
        check_equal(call(), 0, name);
        check(memcmp(dest<T>, expected, sizeof expected) == 0, name, "wrong elements of %zu each",
              nelems);
    }
    ishmem_sync_all();
}

template <typename T> static T moved(int pe, size_t i)
{
    return ORACLE(T, pe, i, 2);
}

/* Calls with nelems elements of `size` units; C takes what data and data_of_all have in common. */
template <typename T, typename C> static void test_data(const team &t, const C &c, size_t units)
{
    int root = t.size - 1;
    size_t mine = static_cast<size_t>(t.member() % 3 + 1), nelems = NELEMS * units;

    fill(source<T>, MAX_PES * NELEMS, me, 2);
    test<T>(
        "alltoall", t, [&] { return c.alltoall(dest<T>, source<T>, nelems); }, NELEMS,
        [&](T *expected) {
            for (int i = 0; i < t.size; i++)
                for (size_t k = 0; k < NELEMS; k++)
                    expected[static_cast<size_t>(i) * NELEMS + k] =
                        moved<T>(t.pe(i), static_cast<size_t>(t.member()) * NELEMS + k);
        });
    test<T>(
        "broadcast", t, [&] { return c.broadcast(dest<T>, source<T>, nelems, root); }, NELEMS,
        [&](T *expected) {
            for (size_t k = 0; k < NELEMS; k++)
                expected[k] = moved<T>(t.pe(root), k);
        });
    test<T>(
        "collect", t, [&] { return c.collect(dest<T>, source<T>, mine * units); }, mine,
        [&](T *expected) {
            for (int i = 0; i < t.size; i++)
                for (size_t k = 0; k < static_cast<size_t>(i % 3 + 1); k++)
                    *expected++ = moved<T>(t.pe(i), k);
        });
    test<T>(
        "fcollect", t, [&] { return c.fcollect(dest<T>, source<T>, nelems); }, NELEMS,
        [&](T *expected) {
            for (int i = 0; i < t.size; i++)
                for (size_t k = 0; k < NELEMS; k++)
                    *expected++ = moved<T>(t.pe(i), k);
        });
}

/* A form with a team as one without. */
template <typename E> struct on_team {
    const data<E> &c;
    ishmem_team_t handle;

    int alltoall(E *to, const E *from, size_t nelems) const
    {
        return c.alltoall(handle, to, from, nelems);
    }
    int broadcast(E *to, const E *from, size_t nelems, int root) const
    {
        return c.broadcast(handle, to, from, nelems, root);
    }
    int collect(E *to, const E *from, size_t nelems) const
    {
        return c.collect(handle, to, from, nelems);
    }
    int fcollect(E *to, const E *from, size_t nelems) const
    {
        return c.fcollect(handle, to, from, nelems);
    }
};

template <typename T, typename E>
static void test_data(const data<E> &c, const data_of_all<E> &all, size_t units = 1)
{
    test_data<T>(world, all, units);
    test_data<T>(world, on_team<E>{c, world.handle}, units);
    test_data<T>(every_second, on_team<E>{c, every_second.handle}, units);
}

/* Small numbers of both signs: sums of floating-point numbers are exact, in any order. */
template <typename T> static T summand(int pe, size_t i)
{
    return static_cast<T>(static_cast<int>(oracle_bits(pe, i, 5) % 7) - 3);
}

template <typename T> static T factor(int pe, size_t i)
{
    return static_cast<T>(oracle_bits(pe, i, 6) % 2 + 1);
}

template <typename T> static T any(int pe, size_t i)
{
    return ORACLE(T, pe, i, 7);
}

/* The values of members first to last, combined one after the other. */
template <typename T, typename Value, typename Combine>
static void combined(T *expected, const team &t, int first, int last, Value value, Combine combine)
{
    for (size_t k = 0; k < NELEMS; k++) {
        expected[k] = first > last ? T{0} : value(t.pe(first), k);
        for (int i = first + 1; i <= last; i++)
            expected[k] = combine(expected[k], value(t.pe(i), k));
    }
}

enum extent { ALL, INCLUSIVE, EXCLUSIVE };

static int last_of(const team &t, extent extent)
{
    return extent == ALL ? t.size - 1 : extent == INCLUSIVE ? t.member() : t.member() - 1;
}

template <typename T, typename Value, typename Combine>
static void test_fold(const char *name, fold<T> f, fold_of_all<T> all, Value value, Combine combine,
                      extent extent = ALL)
{
    for (size_t k = 0; k < NELEMS; k++)
        source<T>[k] = value(me, k);
    for (const team &t : {world, every_second})
        test<T>(
            name, t, [&] { return f(t.handle, dest<T>, source<T>, NELEMS); }, NELEMS,
            [&](T *expected) { combined(expected, t, 0, last_of(t, extent), value, combine); });
    test<T>(
        name, world, [&] { return all(dest<T>, source<T>, NELEMS); }, NELEMS,
        [&](T *expected) { combined(expected, world, 0, last_of(world, extent), value, combine); });
}

#define COMBINE(expression) [](T a, T b) { return static_cast<T>(expression); }

template <typename T> struct folds {
    fold<T> max, min, sum, prod;
};

template <typename T> struct folds_of_all {
    fold_of_all<T> max, min, sum, prod;
};

template <typename T> static void test_folds(const folds<T> &f, const folds_of_all<T> &all)
{
    test_fold("max_reduce", f.max, all.max, any<T>, COMBINE(a > b ? a : b));
    test_fold("min_reduce", f.min, all.min, any<T>, COMBINE(a < b ? a : b));
    test_fold("sum_reduce", f.sum, all.sum, summand<T>, COMBINE(a + b));
    test_fold("prod_reduce", f.prod, all.prod, factor<T>, COMBINE(a * b));
}

template <typename T> struct scans {
    fold<T> inscan, exscan;
};

template <typename T> struct scans_of_all {
    fold_of_all<T> inscan, exscan;
};

template <typename T> static void test_scans(const scans<T> &f, const scans_of_all<T> &all)
{
    test_fold("sum_inscan", f.inscan, all.inscan, summand<T>, COMBINE(a + b), INCLUSIVE);
    test_fold("sum_exscan", f.exscan, all.exscan, summand<T>, COMBINE(a + b), EXCLUSIVE);
}

template <typename T> struct logic {
    fold<T> and_, or_, xor_;
};

template <typename T> struct logic_of_all {
    fold_of_all<T> and_, or_, xor_;
};

template <typename T> static void test_logic(const logic<T> &f, const logic_of_all<T> &all)
{
    test_fold("and_reduce", f.and_, all.and_, any<T>, COMBINE(a & b));
    test_fold("or_reduce", f.or_, all.or_, any<T>, COMBINE(a | b));
    test_fold("xor_reduce", f.xor_, all.xor_, any<T>, COMBINE(a ^ b));
}

#endif

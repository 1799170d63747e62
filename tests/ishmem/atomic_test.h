/* SPDX-License-Identifier: BSD-3-Clause */
/* Atomic memory operations: the test of each list of routines, whichever form they have. */
#ifndef ISHMEM_ATOMIC_TEST_H
#define ISHMEM_ATOMIC_TEST_H

#include "ishmem/types.h"

/*
 * Each PE operates on its neighbour's word, which nobody else touches; `expected` is what a plain
 * variable would hold. The neighbours in the array must not change.
 */
template <typename T> T words[9];
template <typename T> static constexpr size_t WORD = 5;

template <typename T> struct accesses {
    T (*fetch)(T *, int);
    void (*set)(T *, T, int);
    T (*swap)(T *, T, int);
};

template <typename T> struct access_nbi {
    void (*fetch)(T *, T *, int);
    void (*swap)(T *, T *, T, int);
};

template <typename T> struct arithmetic {
    T (*compare_swap)(T *, T, T, int);
    T (*fetch_inc)(T *, int);
    void (*inc)(T *, int);
    T (*fetch_add)(T *, T, int);
    void (*add)(T *, T, int);
};

template <typename T> struct arithmetic_nbi {
    void (*compare_swap)(T *, T *, T, T, int);
    void (*fetch_inc)(T *, T *, int);
    void (*fetch_add)(T *, T *, T, int);
};

template <typename T> struct bitwise {
    T (*fetch_and)(T *, T, int);
    void (*and_)(T *, T, int);
    T (*fetch_or)(T *, T, int);
    void (*or_)(T *, T, int);
    T (*fetch_xor)(T *, T, int);
    void (*xor_)(T *, T, int);
};

template <typename T> struct bitwise_nbi {
    void (*fetch_and)(T *, T *, T, int);
    void (*fetch_or)(T *, T *, T, int);
    void (*fetch_xor)(T *, T *, T, int);
};

template <typename T> static T value(size_t i)
{
    return ORACLE(T, me, i, 3);
}

template <typename T> static void prepare()
{
    fill(words<T>, 9, me, 4);
    ishmem_barrier_all();
}

/* The neighbour's word is as expected, and what lies around it as it was. */
template <typename T> static void check_words(T expected, const char *name)
{
    T all[9], seen[9];

    ishmem_barrier_all();
    fill(all, 9, next, 4);
    all[WORD<T>] = expected;
    ishmem_get(seen, words<T>, 9, next);
    check_array(seen, all, 9, name);
    ishmem_barrier_all();
}

template <typename T> static void test(const accesses<T> &a)
{
    T *word = &words<T>[WORD<T>];

    prepare<T>();
    check_equal(a.fetch(word, next), ORACLE(T, next, WORD<T>, 4), "fetch");
    a.set(word, value<T>(0), next);
    ishmem_quiet();
    check_equal(a.fetch(word, next), value<T>(0), "set");
    check_equal(a.swap(word, value<T>(1), next), value<T>(0), "swap");
    check_words(value<T>(1), "swap");
}

template <typename T> static void test(const access_nbi<T> &a)
{
    T *word = &words<T>[WORD<T>], fetched = 0, swapped = 0;

    prepare<T>();
    a.fetch(&fetched, word, next);
    ishmem_quiet();
    check_equal(fetched, ORACLE(T, next, WORD<T>, 4), "fetch_nbi");
    a.swap(&swapped, word, value<T>(1), next);
    ishmem_quiet();
    check_equal(swapped, fetched, "swap_nbi");
    check_words(value<T>(1), "swap_nbi");
}

/* Sums as of the unsigned type, so that they may wrap. */
template <typename T> static T sum(T a, T b)
{
    using U = std::make_unsigned_t<T>;

    return static_cast<T>(static_cast<U>(static_cast<U>(a) + static_cast<U>(b)));
}

template <typename T> static void test(const arithmetic<T> &a)
{
    T *word = &words<T>[WORD<T>], plain = ORACLE(T, next, WORD<T>, 4);

    prepare<T>();
    check_equal(a.compare_swap(word, sum<T>(plain, 1), value<T>(0), next), plain, "compare_swap");
    check_equal(a.compare_swap(word, plain, value<T>(0), next), plain, "compare_swap");
    plain = value<T>(0);
    check_equal(a.fetch_inc(word, next), plain, "fetch_inc");
    a.inc(word, next);
    ishmem_quiet();
    plain = sum<T>(plain, 2);
    check_equal(a.fetch_add(word, value<T>(1), next), plain, "fetch_add");
    a.add(word, value<T>(2), next);
    check_words(sum(sum(plain, value<T>(1)), value<T>(2)), "add");
}

template <typename T> static void test(const arithmetic_nbi<T> &a)
{
    T *word = &words<T>[WORD<T>], plain = ORACLE(T, next, WORD<T>, 4), fetched[3] = {0, 0, 0};

    prepare<T>();
    a.compare_swap(&fetched[0], word, plain, value<T>(0), next);
    ishmem_quiet();
    a.fetch_inc(&fetched[1], word, next);
    ishmem_quiet();
    a.fetch_add(&fetched[2], word, value<T>(1), next);
    ishmem_quiet();
    check_equal(fetched[0], plain, "compare_swap_nbi");
    check_equal(fetched[1], value<T>(0), "fetch_inc_nbi");
    check_equal(fetched[2], sum<T>(value<T>(0), 1), "fetch_add_nbi");
    check_words(sum(fetched[2], value<T>(1)), "fetch_add_nbi");
}

template <typename T> static void test(const bitwise<T> &b)
{
    T *word = &words<T>[WORD<T>], plain = ORACLE(T, next, WORD<T>, 4);

    prepare<T>();
    check_equal(b.fetch_and(word, value<T>(0), next), plain, "fetch_and");
    plain = static_cast<T>(plain & value<T>(0));
    check_equal(b.fetch_or(word, value<T>(1), next), plain, "fetch_or");
    plain = static_cast<T>(plain | value<T>(1));
    check_equal(b.fetch_xor(word, value<T>(2), next), plain, "fetch_xor");
    plain = static_cast<T>(plain ^ value<T>(2));
    b.or_(word, value<T>(3), next);
    ishmem_fence();
    b.and_(word, value<T>(4), next);
    ishmem_fence();
    b.xor_(word, value<T>(5), next);
    check_words(static_cast<T>(((plain | value<T>(3)) & value<T>(4)) ^ value<T>(5)), "and-or-xor");
}

template <typename T> static void test(const bitwise_nbi<T> &b)
{
    T *word = &words<T>[WORD<T>], plain = ORACLE(T, next, WORD<T>, 4), fetched[3] = {0, 0, 0};

    prepare<T>();
    b.fetch_and(&fetched[0], word, value<T>(0), next);
    ishmem_quiet();
    b.fetch_or(&fetched[1], word, value<T>(1), next);
    ishmem_quiet();
    b.fetch_xor(&fetched[2], word, value<T>(2), next);
    ishmem_quiet();
    check_equal(fetched[0], plain, "fetch_and_nbi");
    plain = static_cast<T>(plain & value<T>(0));
    check_equal(fetched[1], plain, "fetch_or_nbi");
    plain = static_cast<T>(plain | value<T>(1));
    check_equal(fetched[2], plain, "fetch_xor_nbi");
    check_words(static_cast<T>(plain ^ value<T>(2)), "fetch_xor_nbi");
}

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* Atomic memory operations of every type, as they are and as templates. */
#include "ishmem/types.h"

/*
 * Each PE operates on its neighbour's word, which nobody else touches; `expected` is what a plain
 * variable would hold. The neighbours in the array must not change.
 */
template <typename T> T words[9];
template <typename T> static constexpr size_t WORD = 5;

template <typename T> struct access {
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

template <typename T> static void test(const access<T> &a)
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

#define ACCESS(name, type)                                                                         \
    check_case("ishmem_%s_atomic, and templates", #name);                                          \
    test(access<type>{ishmem_##name##_atomic_fetch, ishmem_##name##_atomic_set,                    \
                      ishmem_##name##_atomic_swap});                                               \
    test(access<type>{ishmem_atomic_fetch<type>, ishmem_atomic_set<type>,                          \
                      ishmem_atomic_swap<type>});

#define ACCESS_NBI(name, type)                                                                     \
    check_case("ishmem_%s_atomic_..._nbi, and templates", #name);                                  \
    test(access_nbi<type>{ishmem_##name##_atomic_fetch_nbi, ishmem_##name##_atomic_swap_nbi});     \
    test(access_nbi<type>{ishmem_atomic_fetch_nbi<type>, ishmem_atomic_swap_nbi<type>});

#define ARITHMETIC(name, type)                                                                     \
    check_case("ishmem_%s_atomic, and templates", #name);                                          \
    test(arithmetic<type>{ishmem_##name##_atomic_compare_swap, ishmem_##name##_atomic_fetch_inc,   \
                          ishmem_##name##_atomic_inc, ishmem_##name##_atomic_fetch_add,            \
                          ishmem_##name##_atomic_add});                                            \
    test(arithmetic<type>{ishmem_atomic_compare_swap<type>, ishmem_atomic_fetch_inc<type>,         \
                          ishmem_atomic_inc<type>, ishmem_atomic_fetch_add<type>,                  \
                          ishmem_atomic_add<type>});

#define ARITHMETIC_NBI(name, type)                                                                 \
    check_case("ishmem_%s_atomic_..._nbi, and templates", #name);                                  \
    test(arithmetic_nbi<type>{ishmem_##name##_atomic_compare_swap_nbi,                             \
                              ishmem_##name##_atomic_fetch_inc_nbi,                                \
                              ishmem_##name##_atomic_fetch_add_nbi});                              \
    test(arithmetic_nbi<type>{ishmem_atomic_compare_swap_nbi<type>,                                \
                              ishmem_atomic_fetch_inc_nbi<type>,                                   \
                              ishmem_atomic_fetch_add_nbi<type>});

#define BITWISE(name, type)                                                                        \
    check_case("ishmem_%s_atomic, bitwise, and templates", #name);                                 \
    test(bitwise<type>{ishmem_##name##_atomic_fetch_and, ishmem_##name##_atomic_and,               \
                       ishmem_##name##_atomic_fetch_or, ishmem_##name##_atomic_or,                 \
                       ishmem_##name##_atomic_fetch_xor, ishmem_##name##_atomic_xor});             \
    test(bitwise<type>{ishmem_atomic_fetch_and<type>, ishmem_atomic_and<type>,                     \
                       ishmem_atomic_fetch_or<type>, ishmem_atomic_or<type>,                       \
                       ishmem_atomic_fetch_xor<type>, ishmem_atomic_xor<type>});

#define BITWISE_NBI(name, type)                                                                    \
    check_case("ishmem_%s_atomic_..._nbi, bitwise, and templates", #name);                         \
    test(bitwise_nbi<type>{ishmem_##name##_atomic_fetch_and_nbi,                                   \
                           ishmem_##name##_atomic_fetch_or_nbi,                                    \
                           ishmem_##name##_atomic_fetch_xor_nbi});                                 \
    test(bitwise_nbi<type>{ishmem_atomic_fetch_and_nbi<type>, ishmem_atomic_fetch_or_nbi<type>,    \
                           ishmem_atomic_fetch_xor_nbi<type>});

/*
 * All PEs at once on the bytes of two words, each byte with an operation of its own: none is lost,
 * whatever happens to the bytes beside it.
 */
static void test_crowded_bytes()
{
    static constexpr int ROUNDS = 41; /* odd: an xor is there at the end */
    static signed char crowd[8];
    signed char mine = static_cast<signed char>(1 << me % 7), expected[8] = {0};

    check_case("all PEs on the bytes of a word");
    for (int i = 0; i < 8; i++)
        crowd[i] = i == 6 ? -1 : 0;
    ishmem_barrier_all();
    for (int i = 0; i < ROUNDS; i++) {
        ishmem_schar_atomic_inc(&crowd[0], 0);
        ishmem_schar_atomic_add(&crowd[1], -3, 0);
        ishmem_schar_atomic_xor(&crowd[2], mine, 0);
        ishmem_schar_atomic_add(&crowd[3], 5, 0);
        ishmem_schar_atomic_or(&crowd[4], mine, 0);
        for (signed char seen = 0, found;
             (found = ishmem_schar_atomic_compare_swap(
                  &crowd[5], seen, static_cast<signed char>(seen + 7), 0)) != seen;)
            seen = found;
        ishmem_schar_atomic_and(&crowd[6], static_cast<signed char>(~mine), 0);
    }
    ishmem_barrier_all();
    expected[0] = static_cast<signed char>(ROUNDS * n_pes);
    expected[1] = static_cast<signed char>(-3 * ROUNDS * n_pes);
    expected[3] = static_cast<signed char>(5 * ROUNDS * n_pes);
    expected[6] = -1;
    for (int pe = 0; pe < n_pes; pe++) {
        expected[2] = static_cast<signed char>(expected[2] ^ 1 << pe % 7);
        expected[4] = static_cast<signed char>(expected[4] | 1 << pe % 7);
        expected[6] = static_cast<signed char>(expected[6] & ~(1 << pe % 7));
    }
    expected[5] = static_cast<signed char>(7 * ROUNDS * n_pes);
    if (me == 0)
        check_array(crowd, expected, 8, "bytes-are-atomic");
    ishmem_barrier_all();
}

int main()
{
    start("ishmem/atomic");
    EACH_AMO_TYPE(ACCESS)
    EACH_AMO_TYPE(ACCESS_NBI)
    EACH_AMO_TYPE(ARITHMETIC)
    EACH_AMO_TYPE(ARITHMETIC_NBI)
    EACH_BITS_TYPE(BITWISE)
    EACH_BITS_TYPE(BITWISE_NBI)
    ACCESS(float, float)
    ACCESS(double, double)
    ACCESS_NBI(float, float)
    ACCESS_NBI(double, double)
    ACCESS(schar, signed char)
    ARITHMETIC(schar, signed char)
    BITWISE(schar, signed char)
    test_crowded_bytes();
    return finish();
}

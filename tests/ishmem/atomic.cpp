/* SPDX-License-Identifier: BSD-3-Clause */
/* Atomic memory operations of every type, as they are and as templates. */
#include "ishmem/atomic_test.h"

#define ACCESS(name, type)                                                                         \
    check_case("ishmem_%s_atomic, and templates", #name);                                          \
    test(accesses<type>{ishmem_##name##_atomic_fetch, ishmem_##name##_atomic_set,                  \
                        ishmem_##name##_atomic_swap});                                             \
    test(accesses<type>{ishmem_atomic_fetch<type>, ishmem_atomic_set<type>,                        \
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

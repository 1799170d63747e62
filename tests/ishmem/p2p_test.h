/* SPDX-License-Identifier: BSD-3-Clause */
/* Waiting and testing: the test of each list of routines, whichever form they have. */
#ifndef ISHMEM_P2P_TEST_H
#define ISHMEM_P2P_TEST_H

#include "ishmem/types.h"

constexpr size_t NELEMS = 4;
constexpr int COMPARISONS[] = {ISHMEM_CMP_EQ, ISHMEM_CMP_NE, ISHMEM_CMP_GT,
                               ISHMEM_CMP_GE, ISHMEM_CMP_LT, ISHMEM_CMP_LE};

template <typename T> T ivars[NELEMS];

template <typename T> struct one {
    void (*wait_until)(T *, int, T);
    int (*test)(T *, int, T);
};

/* Value is T, or const T * for a value of each variable's own. */
template <typename T, typename Value> struct many {
    void (*wait_until_all)(T *, size_t, const int *, int, Value);
    size_t (*wait_until_any)(T *, size_t, const int *, int, Value);
    size_t (*wait_until_some)(T *, size_t, size_t *, const int *, int, Value);
    int (*test_all)(T *, size_t, const int *, int, Value);
    size_t (*test_any)(T *, size_t, const int *, int, Value);
    size_t (*test_some)(T *, size_t, size_t *, const int *, int, Value);
};

template <typename T> static bool holds(T a, int cmp, T b)
{
    switch (cmp) {
    case 1:
        return a == b;
    case 2:
        return a != b;
    case 3:
        return a > b;
    case 4:
        return a >= b;
    case 5:
        return a < b;
    default:
        return a <= b;
    }
}

template <typename T> static void clear()
{
    for (T &ivar : ivars<T>)
        ivar = 0;
    ishmem_barrier_all();
}

template <typename T> static void test(const one<T> &o)
{
    for (int cmp : COMPARISONS)
        for (int a = 1; a <= 3; a++) {
            ivars<T>[0] = static_cast<T>(a);
            check_equal(o.test(&ivars<T>[0], cmp, 2), holds(a, cmp, 2), "test");
            if (holds(a, cmp, 2))
                o.wait_until(&ivars<T>[0], cmp, 2);
        }
    clear<T>();
    ishmem_p(&ivars<T>[0], static_cast<T>(before + 1), next);
    o.wait_until(&ivars<T>[0], ISHMEM_CMP_NE, 0);
    check_equal(ivars<T>[0], static_cast<T>((before + n_pes - 1) % n_pes + 1), "wait_until");
    ishmem_barrier_all();
}

/* Variables 1 to 3 become 11, 12 and 13, or 10 where all wait for the same; variable 0 is left out.
 */
template <typename T, typename Value> static void test(const many<T, Value> &m)
{
    constexpr bool vector = std::is_pointer_v<Value>;
    const int status[NELEMS] = {1, 0, 0, 0};
    const T values[NELEMS] = {10, vector ? 11 : 10, vector ? 12 : 10, vector ? 13 : 10};
    size_t indices[NELEMS] = {99, 99, 99, 99};
    Value value;

    if constexpr (vector)
        value = values;
    else
        value = values[0];

    clear<T>();
    check_equal(m.test_all(ivars<T>, NELEMS, status, ISHMEM_CMP_EQ, value), 0, "test_all");
    check_equal(m.test_any(ivars<T>, NELEMS, status, ISHMEM_CMP_EQ, value), SIZE_MAX, "test_any");
    check_equal(m.test_some(ivars<T>, NELEMS, indices, status, ISHMEM_CMP_EQ, value), 0u,
                "test_some");
    ishmem_barrier_all();

    ishmem_p(&ivars<T>[2], values[2], next);
    check_equal(m.wait_until_any(ivars<T>, NELEMS, status, ISHMEM_CMP_EQ, value), 2u,
                "wait_until_any");
    check_equal(m.test_any(ivars<T>, NELEMS, status, ISHMEM_CMP_GE, value), 2u, "test_any");
    check_equal(m.wait_until_some(ivars<T>, NELEMS, indices, status, ISHMEM_CMP_GE, value), 1u,
                "wait_until_some");
    check_equal(indices[0], 2u, "wait_until_some");
    check_equal(m.test_all(ivars<T>, NELEMS, status, ISHMEM_CMP_GE, value), 0, "test_all");
    ishmem_barrier_all();

    for (size_t i = 1; i < NELEMS; i += 2)
        ishmem_p(&ivars<T>[i], values[i], next);
    m.wait_until_all(ivars<T>, NELEMS, status, ISHMEM_CMP_EQ, value);
    check_equal(ivars<T>[0], 0, "wait_until_all");
    check_equal(m.test_all(ivars<T>, NELEMS, status, ISHMEM_CMP_EQ, value), 1, "test_all");
    check_equal(m.test_some(ivars<T>, NELEMS, indices, status, ISHMEM_CMP_EQ, value), 3u,
                "test_some");
    check_equal(indices[0] + indices[1] + indices[2], 6u, "test_some");
    ishmem_barrier_all();
}

#endif

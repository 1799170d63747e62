/* SPDX-License-Identifier: BSD-3-Clause */
/* Signaling operations: every routine of every type and size, as it is and as a template. */
#include <cstring>
#include <initializer_list>

#include "ishmem/types.h"

constexpr size_t NELEMS = 9;

template <typename T> T dest[NELEMS];
static uint64_t flag;

template <typename E>
using put_signal = void (*)(E *, const E *, size_t, uint64_t *, uint64_t, int, int);

/* The neighbour's data is here once its signal is. */
template <typename T, typename E>
static void test(put_signal<E> put, const char *name, size_t nelems = NELEMS)
{
    T source[NELEMS], expected[NELEMS];
    uint64_t found;

    fill(source, NELEMS, me, 1);
    fill(expected, NELEMS, before, 1);
    for (int op : {ISHMEM_SIGNAL_SET, ISHMEM_SIGNAL_ADD}) {
        memset(dest<T>, 0, sizeof dest<T>);
        flag = 100;
        ishmem_barrier_all();
        put(dest<T>, source, nelems, &flag, 7, op, next);
        found = ishmem_signal_wait_until(&flag, ISHMEM_CMP_NE, 100);
        check_equal(found, op == ISHMEM_SIGNAL_SET ? 7u : 107u, name);
        check_equal(ishmem_signal_fetch(&flag), found, "signal_fetch");
        check(memcmp(dest<T>, expected, sizeof expected) == 0, name, "the data is not there");
        ishmem_quiet();
        ishmem_barrier_all();
    }
}

#define TEST_TYPED(name, type)                                                                     \
    check_case("ishmem_%s_put_signal, and templates", #name);                                      \
    test<type, type>(ishmem_##name##_put_signal, "put_signal");                                    \
    test<type, type>(ishmem_##name##_put_signal_nbi, "put_signal_nbi");                            \
    test<type, type>(ishmem_put_signal<type>, "put_signal");                                       \
    test<type, type>(ishmem_put_signal_nbi<type>, "put_signal_nbi");

#define TEST_SIZED(bits)                                                                           \
    check_case("%d bits", bits);                                                                   \
    test<bytes<bits / 8>, void>(ishmem_put##bits##_signal, "put_signal");                          \
    test<bytes<bits / 8>, void>(ishmem_put##bits##_signal_nbi, "put_signal_nbi");

static void test_signals_alone()
{
    check_case("without data");
    flag = 5;
    ishmem_barrier_all();
    ishmemx_signal_add(&flag, 3, next);
    check_equal(ishmem_signal_wait_until(&flag, ISHMEM_CMP_GT, 5), 8u, "signal_add");
    ishmem_barrier_all();
    ishmemx_signal_set(&flag, 1, next);
    check_equal(ishmem_signal_wait_until(&flag, ISHMEM_CMP_LE, 5), 1u, "signal_set");
    ishmem_barrier_all();
}

int main()
{
    start("ishmem/signal");
    EACH_TYPE(TEST_TYPED)
    EACH_SIZE(TEST_SIZED)
    check_case("mem");
    test<int, void>(ishmem_putmem_signal, "put_signal", NELEMS * sizeof(int));
    test<int, void>(ishmem_putmem_signal_nbi, "put_signal_nbi", NELEMS * sizeof(int));
    test_signals_alone();
    return finish();
}

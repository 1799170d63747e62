/* SPDX-License-Identifier: BSD-3-Clause */
/* Signaling operations: every routine of every type and size, as it is and as a template. */
#include "ishmem/signal_test.h"

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
    test<int, void>(ishmem_putmem_signal, "put_signal", SIGNAL_NELEMS * sizeof(int));
    test<int, void>(ishmem_putmem_signal_nbi, "put_signal_nbi", SIGNAL_NELEMS * sizeof(int));
    test_signals_alone();
    return finish();
}

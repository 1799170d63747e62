/* SPDX-License-Identifier: BSD-3-Clause */
/* Waiting and testing in kernels, by groups and on queues; atomic operations in kernels. */
#include "ishmem/atomic_test.h"
#include "ishmem/p2p_test.h"
#include "kernels/forms.h"

/* Functions of the type of a structure's member. */
#define OF(structure, T, member) forms<decltype(structure<T>::member)>
#define OF_MANY(T, Value, member) forms<decltype(many<T, Value>::member)>

#define WAITS(form, T, Value, before, after)                                                       \
    OF_MANY(T, Value, wait_until_all)::form<before##wait_until_all##after>,                        \
        OF_MANY(T, Value, wait_until_any)::form<before##wait_until_any##after>,                    \
        OF_MANY(T, Value, wait_until_some)::form<before##wait_until_some##after>
#define TESTS(form, T, Value, before, after)                                                       \
    OF_MANY(T, Value, test_all)::form<before##test_all##after>,                                    \
        OF_MANY(T, Value, test_any)::form<before##test_any##after>,                                \
        OF_MANY(T, Value, test_some)::form<before##test_some##after>

/* Queues have no tests: there the tests are those of the host. */
#define TEST_FORM(form, test_form, T, before, after, test_before, test_after)                      \
    test(one<T>{OF(one, T, wait_until)::form<before##wait_until##after>,                           \
                OF(one, T, test)::test_form<test_before##test##test_after>});                      \
    test(many<T, T>{WAITS(form, T, T, before, after),                                              \
                    TESTS(test_form, T, T, test_before, test_after)});                             \
    test(many<T, const T *>{WAITS(form, T, const T *, before, _vector##after),                     \
                            TESTS(test_form, T, const T *, test_before, _vector##test_after)});

#define TEST_TYPED(name, type)                                                                     \
    check_case("ishmem_%s_... in a kernel", #name);                                                \
    TEST_FORM(in_kernel, in_kernel, type, ishmem_##name##_, , ishmem_##name##_, )                  \
    check_case("ishmemx_%s_..._work_group", #name);                                                \
    TEST_FORM(by_group, by_group, type, ishmemx_##name##_, _work_group, ishmemx_##name##_,         \
              _work_group)                                                                         \
    check_case("ishmemx_%s_..._on_queue", #name);                                                  \
    TEST_FORM(on_queue, in_kernel, type, ishmemx_##name##_, _on_queue, ishmem_##name##_, )

#define TEST_TEMPLATES(type)                                                                       \
    check_case("templates in a kernel, by a sub-group and on a queue");                            \
    TEST_FORM(in_kernel, in_kernel, type, ishmem_, , ishmem_, )                                    \
    TEST_FORM(by_sub_group, by_sub_group, type, ishmemx_, _work_group, ishmemx_, _work_group)      \
    TEST_FORM(on_queue, in_kernel, type, ishmemx_, _on_queue, ishmem_, )

#define ATOMIC(structure, T, member, name, routine)                                                \
    OF(structure, T, member)::in_kernel<ishmem_##name##_atomic_##routine>

#define TEST_ACCESS(name, T)                                                                       \
    check_case("ishmem_%s_atomic_... in a kernel", #name);                                         \
    test(accesses<T>{ATOMIC(accesses, T, fetch, name, fetch), ATOMIC(accesses, T, set, name, set), \
                     ATOMIC(accesses, T, swap, name, swap)});
#define TEST_ARITHMETIC(name, T)                                                                   \
    test(arithmetic<T>{ATOMIC(arithmetic, T, compare_swap, name, compare_swap),                    \
                       ATOMIC(arithmetic, T, fetch_inc, name, fetch_inc),                          \
                       ATOMIC(arithmetic, T, inc, name, inc),                                      \
                       ATOMIC(arithmetic, T, fetch_add, name, fetch_add),                          \
                       ATOMIC(arithmetic, T, add, name, add)});
#define TEST_BITWISE(name, T)                                                                      \
    test(bitwise<T>{                                                                               \
        ATOMIC(bitwise, T, fetch_and, name, fetch_and), ATOMIC(bitwise, T, and_, name, and),       \
        ATOMIC(bitwise, T, fetch_or, name, fetch_or), ATOMIC(bitwise, T, or_, name, or),           \
        ATOMIC(bitwise, T, fetch_xor, name, fetch_xor), ATOMIC(bitwise, T, xor_, name, xor)});
#define TEST_NBI(name, T)                                                                          \
    test(access_nbi<T>{ATOMIC(access_nbi, T, fetch, name, fetch_nbi),                              \
                       ATOMIC(access_nbi, T, swap, name, swap_nbi)});                              \
    test(arithmetic_nbi<T>{ATOMIC(arithmetic_nbi, T, compare_swap, name, compare_swap_nbi),        \
                           ATOMIC(arithmetic_nbi, T, fetch_inc, name, fetch_inc_nbi),              \
                           ATOMIC(arithmetic_nbi, T, fetch_add, name, fetch_add_nbi)});            \
    test(bitwise_nbi<T>{ATOMIC(bitwise_nbi, T, fetch_and, name, fetch_and_nbi),                    \
                        ATOMIC(bitwise_nbi, T, fetch_or, name, fetch_or_nbi),                      \
                        ATOMIC(bitwise_nbi, T, fetch_xor, name, fetch_xor_nbi)});

static void test_signals()
{
    static uint64_t flag;
    forms<uint64_t (*)(uint64_t *, int, uint64_t)>::host waits[] = {
        forms<decltype(&ishmem_signal_wait_until)>::in_kernel<ishmem_signal_wait_until>,
        forms<decltype(&ishmem_signal_wait_until)>::by_group<ishmemx_signal_wait_until_work_group>,
        forms<decltype(&ishmem_signal_wait_until)>::on_queue<ishmemx_signal_wait_until_on_queue>,
    };

    check_case("signal_wait_until in all forms");
    for (auto wait : waits)
        for (int cmp : COMPARISONS) {
            uint64_t sent = cmp == ISHMEM_CMP_LT ? 4 : cmp == ISHMEM_CMP_GT ? 6 : 5;
            uint64_t other = cmp == ISHMEM_CMP_LT || cmp == ISHMEM_CMP_LE ? 9 : 2;

            flag = cmp == ISHMEM_CMP_NE ? 7 : other;
            ishmem_barrier_all();
            run_in_kernel([&] { ishmemx_signal_set(&flag, sent, next); });
            check_equal(wait(&flag, cmp, cmp == ISHMEM_CMP_NE ? 7 : 5), sent, "signal_wait_until");
            check_equal(
                forms<decltype(&ishmem_signal_fetch)>::in_kernel<ishmem_signal_fetch>(&flag), sent,
                "signal_fetch");
            ishmem_barrier_all();
        }
    flag = 1;
    ishmem_barrier_all();
    run_in_kernel([&] { ishmemx_signal_add(&flag, 3, next); });
    check_equal(waits[0](&flag, ISHMEM_CMP_GT, 1), 4u, "signal_add");
    ishmem_barrier_all();
}

int main()
{
    start("kernels/p2p");
    TEST_TYPED(int, int)
    TEST_TYPED(size, size_t)
    TEST_TEMPLATES(uint64_t)
    test_signals();
    TEST_ACCESS(float, float)
    TEST_ACCESS(schar, signed char)
    TEST_ARITHMETIC(schar, signed char)
    TEST_BITWISE(schar, signed char)
    TEST_ACCESS(uint64, uint64_t)
    TEST_ARITHMETIC(uint64, uint64_t)
    TEST_BITWISE(uint64, uint64_t)
    TEST_NBI(int32, int32_t)
    return finish();
}

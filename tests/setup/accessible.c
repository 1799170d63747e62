/* SPDX-License-Identifier: BSD-3-Clause */
/* Accessible PEs and addresses: pe_accessible, addr_accessible, ptr. */
#include "harness/check.h"
#include "harness/oracle.h"

#include <stdlib.h>

long global_zero, global_value = 77;
static long static_zero, static_value = 78;

static void test_pes(void)
{
    int n = check_n_pes();

    check_case("PEs");
    for (int pe = 0; pe < n; pe++)
        check_equal(shmem_pe_accessible(pe), 1, "pe-accessible");
    check_equal(shmem_pe_accessible(-1), 0, "pe-outside");
    check_equal(shmem_pe_accessible(n), 0, "pe-outside");
    check_equal(shmem_pe_accessible(INT32_MAX), 0, "pe-outside");
    check_equal(shmem_pe_accessible(INT32_MIN), 0, "pe-outside");
}

static void test_addresses(void)
{
    static const long constant = 79;
    long stack = 1, *private_heap = malloc(100), *large_private = malloc(1 << 22);
    char *symmetric = shmem_malloc(1000);

    check_case("addresses");
    for (int pe = 0; pe < check_n_pes(); pe++) {
        check_equal(shmem_addr_accessible(symmetric, pe), 1, "heap-is-symmetric");
        check_equal(shmem_addr_accessible(symmetric + 999, pe), 1, "heap-is-symmetric");
        check_equal(shmem_addr_accessible(&global_zero, pe), 1, "statics-are-symmetric");
        check_equal(shmem_addr_accessible(&global_value, pe), 1, "statics-are-symmetric");
        check_equal(shmem_addr_accessible(&static_zero, pe), 1, "statics-are-symmetric");
        check_equal(shmem_addr_accessible(&static_value, pe), 1, "statics-are-symmetric");
        check_equal(shmem_addr_accessible(&stack, pe), 0, "private-is-not");
        check_equal(shmem_addr_accessible(private_heap, pe), 0, "private-is-not");
        check_equal(shmem_addr_accessible(large_private, pe), 0, "private-is-not");
        check_equal(shmem_addr_accessible(NULL, pe), 0, "null-is-not");
    }
    check_equal(shmem_addr_accessible(symmetric, check_n_pes()), 0, "pe-outside");
    check_equal(shmem_addr_accessible(symmetric, -1), 0, "pe-outside");
    check_equal(constant, 79, "statics-are-symmetric");
    shmem_free(symmetric);
    free(large_private);
    free(private_heap);
}

/* Stores through the pointer are seen by the other side, on the heap and in static memory. */
static void test_ptr(void)
{
    int n = check_n_pes(), next = (check_pe() + 1) % n, before = (check_pe() + n - 1) % n;
    long *heap = shmem_calloc(2, sizeof(long)), *to_heap, *to_static, stack = 0;

    check_case("ptr");
    to_heap = shmem_ptr(&heap[1], next);
    to_static = shmem_ptr(&static_zero, next);
    if (to_heap)
        *to_heap = 500 + check_pe();
    if (to_static)
        *to_static = 600 + check_pe();
    shmem_barrier_all();
    check(!shmem_ptr(&heap[1], before) || heap[1] == 500 + before, "ptr-stores", "heap has %ld",
          heap[1]);
    check(!shmem_ptr(&static_zero, before) || static_zero == 600 + before, "ptr-stores",
          "static has %ld", static_zero);
    check(shmem_ptr(&heap[1], check_pe()) != NULL, "ptr-to-self", "NULL");
    check(shmem_ptr(&stack, next) == NULL, "ptr-not-symmetric", "an address for the stack");
    shmem_barrier_all();
    static_zero = 0;
    shmem_free(heap);
}

/* Initial values of both kinds of globals are those of the program, on every PE. */
static void test_initial_values(void)
{
    check_case("initial values");
    for (int pe = 0; pe < check_n_pes(); pe++) {
        check_equal(shmem_long_g(&global_value, pe), 77, "initial-values");
        check_equal(shmem_long_g(&static_value, pe), 78, "initial-values");
        check_equal(shmem_long_g(&global_zero, pe), 0, "initial-values");
    }
    shmem_barrier_all();
}

int main(void)
{
    check_init("setup/accessible");
    test_initial_values();
    test_pes();
    test_addresses();
    test_ptr();
    return check_finish();
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* The interface as C sees it: one form of each name. */
#include <ishmem.h>
#include <ishmemx.h>

#include "harness/check.h"

static int me, n_pes, next, before;

static void test_moves(void)
{
    static float numbers[4];
    static unsigned char bytes[8];
    static uint64_t flag;
    const float source[4] = {me + 0.5f, 1, 2, 3};
    const unsigned char more[8] = {1, 2, 3, 4, 5, 6, 7, 8};

    check_case("moves");
    ishmem_float_put_signal(numbers, source, 4, &flag, 1, ISHMEM_SIGNAL_ADD, next);
    check_equal(ishmem_signal_wait_until(&flag, ISHMEM_CMP_GE, 1), 1, "put_signal");
    check_equal(numbers[0], before + 0.5f, "put_signal");
    ishmem_put64(bytes, more, 1, next);
    ishmem_quiet();
    ishmem_barrier_all();
    check_equal(bytes[7], 8, "put64");
    check_equal(ishmem_float_g(&numbers[3], next), 3, "g");
    ishmem_barrier_all();
}

static void test_team(void)
{
    static long sums[2], parts[2] = {1, 2};
    ishmem_team_t evens;

    check_case("team");
    ishmem_team_split_strided(ISHMEM_TEAM_WORLD, 0, 2, (n_pes + 1) / 2, NULL, 0, &evens);
    if (evens != ISHMEM_TEAM_INVALID) {
        check_equal(ishmem_long_sum_reduce(evens, sums, parts, 2), 0, "sum_reduce");
        check_equal(sums[1], 2 * ishmem_team_n_pes(evens), "sum_reduce");
    }
    ishmem_team_destroy(evens);
    check_equal(ishmem_long_sum_inscan(ISHMEM_TEAM_WORLD, sums, parts, 1), 0, "sum_inscan");
    check_equal(sums[0], me + 1, "sum_inscan");
}

static void test_atomics(void)
{
    static signed char bytes[4]; /* three of them, but AMOs take the word that they are in */
    static int word, counts[2];
    const int status[2] = {0, 0};

    check_case("atomics and waiting");
    ishmem_schar_atomic_add(&bytes[1], 1, 0);
    ishmem_int_atomic_fetch_add(&word, me, 0);
    ishmem_barrier_all();
    check_equal(ishmem_schar_atomic_fetch(&bytes[1], 0), n_pes, "schar_atomic_add");
    check_equal(ishmem_int_atomic_fetch(&word, 0), n_pes * (n_pes - 1) / 2, "atomic_fetch_add");
    ishmem_int_p(&counts[1], 4, next);
    check_equal(ishmem_int_wait_until_any(counts, 2, status, ISHMEM_CMP_GT, 3), 1,
                "wait_until_any");
    ishmem_barrier_all();
}

int main(void)
{
    ishmemx_attr_t attributes = {.runtime = ISHMEMX_RUNTIME_OPENSHMEM, .initialize_runtime = true};

    ishmemx_init_attr(&attributes);
    check_attach("ishmem/view");
    me = ishmem_my_pe();
    n_pes = ishmem_n_pes();
    next = (me + 1) % n_pes;
    before = (me + n_pes - 1) % n_pes;
    test_moves();
    test_team();
    test_atomics();
    ishmem_sync_all();

    int status = check_report();

    ishmem_finalize();
    return status;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Non-blocking operations with handles: each clause of their descriptions. */
#include "extensions/ring.h"

#include <shmemx.h>
#include <stdlib.h>
#include <string.h>

/* More than a network engine keeps in buffers of its own, and little. */
enum { LARGE = 200000, SMALL = 3, MANY = 300 };

static const size_t lengths[] = {1, SMALL, 1000, LARGE};

static long flag;
static long board[LARGE];
static long *mine, *arrived;

/* Local completion is what a handle tells: source may change, and what was put is what it was. */
static void put_source_is_free_after_wait(void)
{
    for (size_t l = 0; l < sizeof lengths / sizeof lengths[0]; l++) {
        void *handle = &handle;

        check_case("%zu elements", lengths[l]);
        fill(mine, lengths[l], check_pe(), 1);
        shmem_barrier_all();
        shmem_long_put_nb(board, mine, lengths[l], next(), &handle);
        shmem_wait_nb(handle);
        memset(mine, 0xee, lengths[l] * sizeof *mine);
        shmem_barrier_all();
        check_filled(board, lengths[l], previous(), 1, "nb-put-source-free-after-wait");
        shmem_barrier_all();
    }
}

static void get_has_arrived_after_wait(void)
{
    for (size_t l = 0; l < sizeof lengths / sizeof lengths[0]; l++) {
        void *handle = NULL;

        check_case("%zu elements", lengths[l]);
        fill(board, lengths[l], check_pe(), 2);
        memset(arrived, 0, lengths[l] * sizeof *arrived);
        shmem_barrier_all();
        shmem_long_get_nb(arrived, board, lengths[l], next(), &handle);
        shmem_wait_nb(handle);
        check_filled(arrived, lengths[l], next(), 2, "nb-get-there-after-wait");
        shmem_barrier_all();
    }
}

/* A loop of tests ends although the target makes no call. */
static void test_becomes_nonzero(void)
{
    void *handle = NULL;
    int complete;

    check_case("a loop of shmem_test_nb, then of shmem_poll_nb");
    fill(board, LARGE, check_pe(), 3);
    shmem_barrier_all();
    shmem_long_get_nb(arrived, board, LARGE, next(), &handle);
    do
        complete = shmem_test_nb(handle);
    while (!complete);
    check_filled(arrived, LARGE, next(), 3, "nb-get-there-after-test");
    shmem_barrier_all();
    fill(board, LARGE, check_pe(), 4);
    shmem_barrier_all();
    shmem_long_get_nb(arrived, board, LARGE, next(), &handle);
    while (!shmem_poll_nb(handle))
        ;
    check_filled(arrived, LARGE, next(), 4, "nb-poll-is-test");
    shmem_barrier_all();
}

/* Waiting or testing once more is invalid in one text and harmless in another. */
static void ended_handle_is_complete(void)
{
    void *waited = NULL, *tested = NULL;

    check_case("handles that have ended");
    shmem_long_put_nb(board, mine, LARGE, next(), &waited);
    shmem_long_get_nb(arrived, board, LARGE, next(), &tested);
    shmem_wait_nb(waited);
    while (!shmem_test_nb(tested))
        ;
    shmem_wait_nb(waited);
    shmem_wait_nb(tested);
    check(shmem_test_nb(waited) != 0, "nb-ended-handle-tests-complete", "waited for before");
    check(shmem_test_nb(tested) != 0, "nb-ended-handle-tests-complete", "tested before");
    shmem_barrier_all();
}

static void quiet_completes_without_handles(void)
{
    check_case("handle NULL, then quiet");
    fill(mine, LARGE, check_pe(), 5);
    fill(board, LARGE, check_pe(), 6);
    shmem_barrier_all();
    shmem_long_get_nb(arrived, board, LARGE, next(), NULL);
    shmem_quiet();
    check_filled(arrived, LARGE, next(), 6, "nb-null-get-there-after-quiet");
    shmem_barrier_all();
    shmem_long_put_nb(board, mine, LARGE, next(), NULL);
    shmem_quiet();
    memset(mine, 0xee, LARGE * sizeof *mine);
    shmem_barrier_all();
    check_filled(board, LARGE, previous(), 5, "nb-null-put-source-free-after-quiet");
    shmem_barrier_all();
}

/* wait_nb(NULL) is for whoever lost track: the operations that have no handle. */
static void null_handle_means_all_without(void)
{
    int complete;

    check_case("wait and test of NULL");
    fill(board, LARGE, check_pe(), 7);
    shmem_barrier_all();
    shmem_long_get_nb(arrived, board, LARGE, next(), NULL);
    shmem_wait_nb(NULL);
    check_filled(arrived, LARGE, next(), 7, "nb-wait-null-completes");
    memset(arrived, 0, LARGE * sizeof *arrived);
    shmem_long_get_nb(arrived, board, LARGE, next(), NULL);
    do
        complete = shmem_test_nb(NULL);
    while (!complete);
    check_filled(arrived, LARGE, next(), 7, "nb-test-null-tells");
    shmem_barrier_all();
}

/* At its target, a put that has a handle is complete after quiet, whether waited for or not. */
static void quiet_completes_with_handles(void)
{
    void *handle = NULL;

    check_case("handle, quiet, flag");
    fill(mine, LARGE, check_pe(), 8);
    flag = 0;
    shmem_barrier_all();
    shmem_long_put_nb(board, mine, LARGE, next(), &handle);
    shmem_quiet();
    shmem_long_atomic_set(&flag, 1, next());
    shmem_long_wait_until(&flag, SHMEM_CMP_EQ, 1);
    check_filled(board, LARGE, previous(), 8, "nb-quiet-completes-with-handle");
    shmem_wait_nb(handle);
    shmem_barrier_all();
}

/* The documented idiom: puts, fence, a put of eight bytes to a flag that the target waits for. */
static void fence_orders(void)
{
    static const long one = 1;
    void *handles[2];

    for (int with_handle = 0; with_handle < 2; with_handle++) {
        check_case("put, fence, put of a flag, %s handles", with_handle ? "with" : "without");
        fill(mine, LARGE, check_pe(), 9);
        flag = 0;
        shmem_barrier_all();
        shmem_long_put_nb(board, mine, LARGE, next(), with_handle ? &handles[0] : NULL);
        shmem_fence();
        shmem_long_put_nb(&flag, &one, 1, next(), with_handle ? &handles[1] : NULL);
        shmem_long_wait_until(&flag, SHMEM_CMP_EQ, 1);
        check_filled(board, LARGE, previous(), 9, "nb-fence-orders");
        for (int i = 0; with_handle && i < 2; i++)
            shmem_wait_nb(handles[i]);
        shmem_barrier_all();
    }
}

/* Many at once, to all PEs, waited for from the last to the first. */
static void many_at_once(void)
{
    void *handles[MANY];
    int n = check_n_pes();

    check_case("%d handles", MANY);
    fill(board, MANY, check_pe(), 10);
    shmem_barrier_all();
    for (int i = 0; i < MANY; i++)
        shmem_long_get_nb(&arrived[i], &board[i], 1, i % n, &handles[i]);
    for (int i = MANY - 1; i >= 0; i--) {
        shmem_wait_nb(handles[i]);
        check_equal(arrived[i], ORACLE(long, i % n, (size_t)i, 10), "nb-many-handles");
    }
    shmem_barrier_all();
}

static void no_elements(void)
{
    void *handle = &handle;

    check_case("no elements");
    shmem_long_put_nb(NULL, NULL, 0, next(), &handle);
    shmem_wait_nb(handle);
    check(shmem_test_nb(handle) != 0, "nb-no-elements", "a put of nothing is complete");
    shmem_long_get_nb(NULL, NULL, 0, next(), NULL);
    shmem_quiet();
}

static void request_handles(void)
{
    shmemx_request_handle_t request = NULL;
    int complete = 0;

    check_case("shmemx_request_handle_t");
    fill(board, LARGE, check_pe(), 11);
    shmem_barrier_all();
    shmemx_long_get_nb(arrived, board, LARGE, next(), &request);
    shmemx_wait_req(request);
    check_filled(arrived, LARGE, next(), 11, "request-wait");
    memset(arrived, 0, LARGE * sizeof *arrived);
    shmemx_long_get_nb(arrived, board, LARGE, next(), &request);
    while (!complete)
        shmemx_test_req(request, &complete);
    check_filled(arrived, LARGE, next(), 11, "request-test");
    complete = 0;
    shmemx_test_req(NULL, &complete);
    check_equal(complete, 1, "request-test-of-null");
    shmemx_long_get_nb(arrived, board, SMALL, next(), NULL);
    shmemx_wait_req(NULL);
    check_filled(arrived, SMALL, next(), 11, "request-wait-null-is-quiet");
    shmem_barrier_all();
}

static void atomics(void)
{
    static long sum, place;
    static float real;
    long old = -1, expected = check_n_pes() * (check_n_pes() + 1) / 2;
    float was = -1;
    void *handle = NULL;

    check_case("atomic operations with handles");
    sum = place = 0;
    real = 1.5f;
    shmem_barrier_all();
    shmemx_long_add_nb(&sum, check_pe() + 1, 0, &handle);
    shmemx_wait_nb(handle);
    shmem_barrier_all();
    shmemx_long_fadd_nb(&old, &sum, 0, 0, &handle);
    while (!shmemx_test_nb(handle))
        ;
    check_equal(old, expected, "nb-add");
    shmem_barrier_all();
    shmemx_long_inc_nb(&sum, 0, NULL);
    shmem_barrier_all();
    shmemx_long_finc_nb(&old, &sum, 0, &handle);
    shmemx_wait_nb(handle);
    check(old >= expected + check_n_pes(), "nb-finc", "old is %ld", old);
    shmemx_long_cswap_nb(&old, &place, 0, check_pe() + 5, next(), &handle);
    shmemx_wait_nb(handle);
    check_equal(old, 0, "nb-cswap");
    shmemx_float_swap_nb(&was, &real, 2.5f, next(), &handle);
    shmemx_wait_nb(handle);
    check_equal(was, 1.5f, "nb-swap");
    shmem_barrier_all();
    check_equal(place, previous() + 5, "nb-cswap");
    check_equal(real, 2.5f, "nb-swap");
    check_equal(sum, check_pe() ? 0 : expected + 2 * check_n_pes(), "nb-inc");
    shmem_barrier_all();
}

/* They do nothing; what they are given need not exist. */
static void no_operations(void)
{
    shmem_clear_cache_inv();
    shmem_clear_cache_line_inv(&flag);
    shmem_set_cache_inv();
    shmem_set_cache_line_inv(&flag);
    shmem_udcflush();
    shmem_udcflush_line(&flag);
    shmem_stack(NULL);
    check_reached("cache-routines-do-nothing");
}

/* What was started and not waited for does no harm at the end, nor after another start. */
static void handles_end_with_the_job(void)
{
    void *handle = NULL;

    shmem_long_get_nb(arrived, board, LARGE, next(), &handle);
    shmem_barrier_all();
    shmem_finalize();
    shmem_init();
    shmem_wait_nb(handle);
    check(shmem_test_nb(handle) != 0, "nb-handle-of-earlier-job", "it is complete");
}

int main(void)
{
    check_init("extensions/handles");
    mine = malloc(LARGE * sizeof *mine);
    arrived = malloc(LARGE * sizeof *arrived);
    put_source_is_free_after_wait();
    get_has_arrived_after_wait();
    test_becomes_nonzero();
    ended_handle_is_complete();
    quiet_completes_without_handles();
    null_handle_means_all_without();
    quiet_completes_with_handles();
    fence_orders();
    many_at_once();
    no_elements();
    request_handles();
    atomics();
    no_operations();
    handles_end_with_the_job();
    free(mine);
    free(arrived);
    return check_finish();
}

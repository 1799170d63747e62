/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Memory of the program becomes symmetric: all kinds of operations on it, and the return to normal
 * memory.
 */
#include "extensions/ring.h"

#include <shmemx.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { NELEMS = 100000, FEW = 3 };

/* In the program's memory; the last page shows that all of it is symmetric. */
struct board {
    long data[NELEMS], source[NELEMS], sums[NELEMS];
    long word, flag, lock;
    uint64_t signal;
    int small;
};

static long *heap_block, static_block[NELEMS];

static void accessibility(struct board *board, size_t bytes)
{
    const struct board *theirs = shmem_ptr(board, next());

    check_case("where it is");
    check_equal(shmem_addr_accessible(board, next()), 1, "heap-create-accessible");
    check_equal(shmem_addr_accessible((char *)board + bytes - 1, next()), 1,
                "heap-create-accessible-to-the-end");
    check_equal(shmem_addr_accessible((char *)board + bytes, next()), 0,
                "heap-create-ends-where-it-ends");
    if (theirs)
        check_filled(theirs->data, NELEMS, next(), 1, "heap-create-ptr");
    shmem_barrier_all();
}

static void rma(struct board *board)
{
    long value;

    check_case("puts and gets");
    fill(board->source, NELEMS, check_pe(), 2);
    fill(static_block, NELEMS, check_pe(), 3);
    shmem_barrier_all();
    shmem_long_put(board->data, board->source, NELEMS, next());
    shmem_barrier_all();
    check_filled(board->data, NELEMS, previous(), 2, "heap-create-put");
    shmem_barrier_all();
    shmem_long_put(heap_block, board->source, NELEMS, next());
    shmem_long_put(board->data, static_block, NELEMS, next());
    shmem_barrier_all();
    check_filled(heap_block, NELEMS, previous(), 2, "heap-create-put-to-heap");
    check_filled(board->data, NELEMS, previous(), 3, "heap-create-put-from-static");
    shmem_barrier_all();
    shmem_long_get_nbi(board->data, board->source, NELEMS, next());
    shmem_quiet();
    check_filled(board->data, NELEMS, next(), 2, "heap-create-get-nbi");
    shmem_long_p(&board->word, 17 + check_pe(), next());
    shmem_quiet();
    value = shmem_long_g(&board->word, next());
    check_equal(value, 17 + check_pe(), "heap-create-p-and-g");
    shmem_barrier_all();
    shmem_long_iput(board->data, board->source, 2, 1, FEW, next());
    shmem_barrier_all();
    check_equal(board->data[4], ORACLE(long, previous(), 2, 2), "heap-create-iput");
    shmem_barrier_all();
}

static void atomics(struct board *board)
{
    int n = check_n_pes();
    long old;

    check_case("atomic operations");
    board->word = 0;
    board->small = 0;
    shmem_barrier_all();
    for (int pe = 0; pe < n; pe++) {
        shmem_long_atomic_add(&board->word, check_pe() + 1, pe);
        old = shmem_int_atomic_fetch_inc(&board->small, pe);
        check(old >= 0 && old < n, "heap-create-fetch-inc", "old is %ld", old);
    }
    shmem_barrier_all();
    check_equal(board->word, (long)n * (n + 1) / 2, "heap-create-add");
    check_equal(board->small, n, "heap-create-fetch-inc");
    board->word = 5;
    shmem_barrier_all();
    old = shmem_long_atomic_compare_swap(&board->word, 5, 6, next());
    check_equal(old, 5, "heap-create-compare-swap");
    shmem_barrier_all();
    check_equal(board->word, 6, "heap-create-compare-swap");
    shmem_barrier_all();
}

static void waits(struct board *board)
{
    void *handle = NULL;

    check_case("signals, waits, locks, handles");
    board->flag = 0;
    board->signal = 0;
    board->word = 0;
    fill(board->source, NELEMS, check_pe(), 4);
    shmem_barrier_all();
    shmem_long_put_signal(board->data, board->source, NELEMS, &board->signal, 9, SHMEM_SIGNAL_SET,
                          next());
    shmem_signal_wait_until(&board->signal, SHMEM_CMP_EQ, 9);
    check_filled(board->data, NELEMS, previous(), 4, "heap-create-put-signal");
    shmem_long_atomic_set(&board->flag, 1, next());
    shmem_long_wait_until(&board->flag, SHMEM_CMP_EQ, 1);
    shmem_set_lock(&board->lock);
    board->word = shmem_long_g(&board->word, 0) + 1;
    shmem_long_p(&board->word, board->word, 0);
    shmem_clear_lock(&board->lock);
    shmem_barrier_all();
    if (check_pe() == 0)
        check_equal(board->word, check_n_pes(), "heap-create-lock");
    shmem_long_get_nb(board->data, board->source, NELEMS, next(), &handle);
    shmem_wait_nb(handle);
    check_filled(board->data, NELEMS, next(), 4, "heap-create-get-nb");
    shmem_barrier_all();
}

static void collectives(struct board *board)
{
    static const size_t lengths[] = {FEW, NELEMS};
    int n = check_n_pes();

    for (size_t l = 0; l < 2; l++) {
        size_t nelems = lengths[l], each = nelems / (size_t)n;

        check_case("collectives of %zu elements", nelems);
        fill(board->source, NELEMS, check_pe(), 5);
        shmem_barrier_all();
        shmem_long_broadcast(SHMEM_TEAM_WORLD, board->data, board->source, nelems, n - 1);
        check_filled(board->data, nelems, n - 1, 5, "heap-create-broadcast");
        for (size_t i = 0; i < nelems; i++)
            board->source[i] = (long)i + check_pe();
        shmem_long_sum_reduce(SHMEM_TEAM_WORLD, board->sums, board->source, nelems);
        for (size_t i = 0; i < nelems; i++)
            board->data[i] = (long)i * n + (long)n * (n - 1) / 2;
        check_array(board->sums, board->data, nelems, "heap-create-reduce");
        shmem_long_sum_inscan(SHMEM_TEAM_WORLD, board->sums, board->source, 1);
        check_equal(board->sums[0], (long)check_pe() * (check_pe() + 1) / 2, "heap-create-scan");
        shmem_barrier_all();
        shmem_long_fcollect(SHMEM_TEAM_WORLD, board->data, board->source, each);
        for (int pe = 0; each && pe < n; pe++)
            check_equal(board->data[(size_t)pe * each], pe, "heap-create-fcollect");
        shmem_long_alltoall(SHMEM_TEAM_WORLD, board->data, board->source, each);
        for (int pe = 0; each && pe < n; pe++)
            check_equal(board->data[(size_t)pe * each], (long)each * check_pe() + pe,
                        "heap-create-alltoall");
        shmem_barrier_all();
    }
}

/* One life of the library with such memory. What is left there at the end is the program's. */
static void live(struct board *board, size_t bytes)
{
    int provided = -1;

    check_case("start");
    fill(board->data, NELEMS, 77, 1);
    check_equal(shmemx_heap_preinit_thread(SHMEM_THREAD_MULTIPLE, &provided), 0,
                "heap-preinit-thread");
    check_equal(provided, SHMEM_THREAD_MULTIPLE, "heap-preinit-thread");
    check_attach("extensions/heap");
    fill(board->data, NELEMS, shmem_my_pe(), 1);
    shmemx_heap_create(board, bytes, SHMEMX_EXTERNAL_HEAP_ZE, 0);
    shmemx_heap_postinit();
    check_filled(board->data, NELEMS, check_pe(), 1, "heap-create-keeps-content");
    heap_block = shmem_malloc(NELEMS * sizeof *heap_block);
    accessibility(board, bytes);
    rma(board);
    atomics(board);
    waits(board);
    collectives(board);
    fill(board->data, NELEMS, check_pe(), 6);
    shmem_free(heap_block);
}

static void check_left(struct board *board)
{
    check_case("end");
    check_filled(board->data, NELEMS, check_pe(), 6, "heap-create-content-after-finalize");
    board->data[0] = 1; /* the program may do with it what it likes */
}

int main(void)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE), bytes = (sizeof(struct board) + page - 1) & -page;
    struct board *mapped =
        mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    struct board *allocated = aligned_alloc(page, bytes);

    memset(allocated, 0, bytes);
    live(mapped, bytes);
    shmem_finalize();
    check_left(mapped);
    munmap(mapped, bytes);

    live(allocated, bytes);
    int status = check_finish();
    check_left(allocated);
    free(allocated);
    return status | check_status();
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * MPI and OpenSHMEM in one program: initializes and finalizes them in the order given, and has each
 * move what the other has made.
 *
 *     hybrid mpi|shmem mpi|shmem      which is initialized first, and which is finalized first
 */
#include <mpi.h>
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROUNDS 50
#define MOST 16

static int from_left; /* static data */
static long counter;
static int failed;

static void check(int ok, const char *what, long got, long want)
{
    if (ok)
        return;
    printf("hybrid: PE %d: %s is %ld instead of %ld\n", shmem_my_pe(), what, got, want);
    failed = 1;
}

static void expect(const char *what, long got, long want)
{
    check(got == want, what, got, want);
}

/* A sum by MPI in symmetric memory, moved on by a put, and back by a message. */
static void exchange(int round, int me, int n, int *heap)
{
    int right = (me + 1) % n, left = (me + n - 1) % n, mine = me + round, back = -1;

    MPI_Allreduce(&mine, &heap[0], 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    expect("MPI's sum", heap[0], n * (n - 1) / 2 + n * round);
    shmem_int_p(&from_left, 1000 * round + me, right);
    shmem_int_p(&heap[1], mine, left);
    shmem_barrier_all();
    expect("what came from the left", from_left, 1000 * round + left);
    expect("what came from the right", heap[1], right + round);
    MPI_Sendrecv(&from_left, 1, MPI_INT, left, round, &back, 1, MPI_INT, right, round,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    expect("what came back", back, 1000 * round + me);
    shmem_sync_all();
}

static void reduce(int round, int me, int n, int *heap)
{
    int mine = (me * 7 + round) % n, most;

    heap[2] = mine;
    shmem_int_max_reduce(SHMEM_TEAM_WORLD, &heap[3], &heap[2], 1);
    MPI_Allreduce(&mine, &most, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    expect("the greatest", heap[3], most);
}

static void count(int round, int n)
{
    shmem_long_atomic_inc(&counter, round % n);
    shmem_quiet();
    MPI_Barrier(MPI_COMM_WORLD);
    if (shmem_my_pe() == round % n)
        expect("the counter", shmem_long_atomic_fetch(&counter, round % n), round / n * n + n);
    MPI_Barrier(MPI_COMM_WORLD);
}

/* Blocks that take more than one packet, each way at once. */
static void move_blocks(int me, int n)
{
    const size_t bytes = 1 << 20;
    char *heap = shmem_malloc(2 * bytes);
    int right = (me + 1) % n, left = (me + n - 1) % n;

    memset(heap, me + 1, bytes);
    shmem_barrier_all();
    shmem_putmem_nbi(heap + bytes, heap, bytes, right);
    shmem_barrier_all();
    expect("the block's last byte", heap[2 * bytes - 1], left + 1);
    MPI_Sendrecv_replace(heap + bytes, (int)bytes, MPI_CHAR, left, 0, right, 0, MPI_COMM_WORLD,
                         MPI_STATUS_IGNORE);
    expect("the last byte that came back", heap[2 * bytes - 1], me + 1);
    shmem_free(heap);
}

static void start_mpi(int *argc, char ***argv)
{
    int provided;

    MPI_Init_thread(argc, argv, MPI_THREAD_FUNNELED, &provided);
}

int main(int argc, char **argv)
{
    int mpi_first = argc > 1 && strcmp(argv[1], "mpi") == 0, me, n, rank, size, all_failed;
    int mpi_last = argc > 2 && strcmp(argv[2], "shmem") == 0;
    int *heap;

    if (mpi_first)
        start_mpi(&argc, &argv);
    shmem_init();
    if (!mpi_first)
        start_mpi(&argc, &argv);

    me = shmem_my_pe();
    n = shmem_n_pes();
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    expect("the rank", rank, me);
    expect("the number of ranks", size, n);
    heap = shmem_calloc(MOST, sizeof *heap);
    for (int round = 0; !failed && round < ROUNDS; round++) {
        exchange(round, me, n, heap);
        reduce(round, me, n, heap);
        count(round, n);
    }
    move_blocks(me, n);
    shmem_free(heap);

    MPI_Allreduce(&failed, &all_failed, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    if (me == 0 && !all_failed) {
        printf("hybrid: checks on %d PEs passed\n", n);
        fflush(stdout);
    }
    if (mpi_last)
        shmem_finalize();
    MPI_Finalize();
    if (!mpi_last)
        shmem_finalize();
    return all_failed;
}

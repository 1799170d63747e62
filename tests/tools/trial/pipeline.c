/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pipeline [right]: an exchange of all with all, in chunks. Each PE packs the next chunk while the
 * last one is under way; the receiver counts chunks by a signal.
 *
 * Bug 1: the packing buffer is filled again while a nonblocking put still reads it.
 * Bug 2: the result is checked by an average, whose reduction has another type on PE 0.
 */
#include <shmem.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK = 64, CHUNKS = 8 };

static int me, n, right;
static uint64_t *arrived; /* by sender */
static long *received;    /* by sender and chunk */
static long packed[CHUNK];
static long sum_here, sum_all[2], n_here = 1, n_all;

static long element(int from, int to, int chunk, int i)
{
    return from * 1000000L + to * 10000L + chunk * 100L + i;
}

static long *place_of(int sender, int chunk)
{
    return &received[((size_t)sender * CHUNKS + (size_t)chunk) * CHUNK];
}

static void pack(int to, int chunk)
{
    static long fresh[CHUNK];

    for (int i = 0; i < CHUNK; i++)
        fresh[i] = element(me, to, chunk, i);
    shmem_long_put(packed, fresh, CHUNK, me); /* bug 1: the buffer may be in use */
}

static void send(int to, int chunk)
{
    pack(to, chunk);
    shmem_quiet();
    shmem_long_put_signal_nbi(place_of(me, chunk), packed, CHUNK, &arrived[me], 1, SHMEM_SIGNAL_ADD,
                              to);
    if (right)
        shmem_quiet();
}

static void exchange(void)
{
    for (int chunk = 0; chunk < CHUNKS; chunk++)
        for (int k = 0; k < n; k++)
            send((me + k) % n, chunk);
    shmem_quiet();
}

/* Returns how many elements are wrong. */
static int check_all(void)
{
    int wrong = 0;

    for (int from = 0; from < n; from++) {
        shmem_signal_wait_until(&arrived[from], SHMEM_CMP_GE, CHUNKS);
        for (int chunk = 0; chunk < CHUNKS; chunk++)
            for (int i = 0; i < CHUNK; i++) {
                long value = place_of(from, chunk)[i];

                wrong += value != element(from, me, chunk, i);
                sum_here += value;
            }
    }
    return wrong;
}

static void average(void)
{
    shmem_long_sum_reduce(SHMEM_TEAM_WORLD, sum_all, &sum_here, 1);
    if (right || me != 0)
        shmem_long_sum_reduce(SHMEM_TEAM_WORLD, &n_all, &n_here, 1);
    else
        shmem_int_sum_reduce(SHMEM_TEAM_WORLD, (int *)&n_all, (int *)&n_here, 2); /* bug 2 */
}

int main(int argc, char **argv)
{
    int wrong;

    right = argc > 1 && strcmp(argv[1], "right") == 0;
    shmem_init();
    me = shmem_my_pe();
    n = shmem_n_pes();
    arrived = shmem_calloc((size_t)n, sizeof *arrived);
    received = shmem_calloc((size_t)n * CHUNKS * CHUNK, sizeof *received);
    shmem_barrier_all();
    exchange();
    wrong = check_all();
    average();
    if (me == 0)
        printf("pipeline %s\n", wrong ? "wrong" : "correct");
    shmem_barrier_all();
    shmem_free(received);
    shmem_free(arrived);
    shmem_finalize();
    return wrong != 0;
}

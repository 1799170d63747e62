/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sorts random numbers, a million a PE or as many as the argument says. The numbers are divided
 * into as many ranges as there are PEs. Each PE deals its own out to the owners of the ranges: an
 * atomic fetch-and-add reserves room there, and a nonblocking put fills it. Then each sorts its
 * range.
 */
#include <shmem.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define LIMIT (UINT64_C(1) << 32)

static size_t n_mine; /* symmetric, and set by those who send: numbers of this PE's range */
static uint64_t ends[2];

static uint64_t next_random(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return *state >> 32;
}

static int owner_of(uint64_t number, int n_pes)
{
    return (int)(number * (uint64_t)n_pes / LIMIT);
}

static int by_value(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

    return (x > y) - (x < y);
}

/* Ends the program on all PEs unless there is memory. */
static void *checked(void *memory)
{
    if (!memory) {
        fprintf(stderr, "out of memory\n");
        shmem_global_exit(1);
    }
    return memory;
}

/* Puts the numbers in the order of their owners; block p then is from starts[p] to starts[p + 1].
 */
static uint32_t *by_owner(const uint32_t *numbers, size_t n, size_t *starts, int n_pes)
{
    uint32_t *ordered = checked(malloc(n * sizeof *ordered + 1));
    size_t *next = checked(calloc((size_t)n_pes, sizeof *next));

    for (size_t i = 0; i < n; i++)
        starts[owner_of(numbers[i], n_pes) + 1]++;
    for (int pe = 0; pe < n_pes; pe++) {
        next[pe] = starts[pe];
        starts[pe + 1] += starts[pe];
    }
    for (size_t i = 0; i < n; i++)
        ordered[next[owner_of(numbers[i], n_pes)]++] = numbers[i];
    free(next);
    return ordered;
}

/* Each begins with its neighbour, so that not all send to the same PE at once. */
static void deal_out(uint32_t *received, size_t room, const uint32_t *ordered, const size_t *starts,
                     int me, int n_pes)
{
    for (int k = 1; k <= n_pes; k++) {
        int pe = (me + k) % n_pes;
        size_t count = starts[pe + 1] - starts[pe];
        size_t at = shmem_size_atomic_fetch_add(&n_mine, count, pe);

        if (at + count > room) {
            fprintf(stderr, "PE %d has no room for its range\n", pe);
            shmem_global_exit(1);
        }
        shmem_uint32_put_nbi(received + at, ordered + starts[pe], count, pe);
    }
    shmem_barrier_all(); /* completes the puts of all PEs */
}

/* Each PE's numbers ascend, and begin where the PE before has ended. */
static int is_sorted(const uint32_t *received, int me, int n_pes)
{
    static int here, everywhere;

    for (size_t i = 1; i < n_mine; i++)
        here |= received[i - 1] > received[i];
    ends[0] = n_mine ? received[0] : LIMIT * (uint64_t)me / (uint64_t)n_pes;
    ends[1] = n_mine ? received[n_mine - 1] : ends[0];
    shmem_barrier_all();
    if (me > 0)
        here |= shmem_uint64_g(&ends[1], me - 1) > ends[0];
    shmem_int_max_reduce(SHMEM_TEAM_WORLD, &everywhere, &here, 1);
    return !everywhere;
}

int main(int argc, char **argv)
{
    size_t n = argc > 1 ? strtoul(argv[1], NULL, 10) : 1000000, room = n + n / 4 + 1000;
    static size_t total;
    uint32_t *numbers, *ordered, *received;
    size_t *starts;
    uint64_t state;
    int me, n_pes, good;

    shmem_init();
    me = shmem_my_pe();
    n_pes = shmem_n_pes();
    received = checked(shmem_malloc(room * sizeof *received));
    numbers = checked(malloc(n * sizeof *numbers + 1));
    starts = checked(calloc((size_t)n_pes + 1, sizeof *starts));
    state = (uint64_t)me + 1;
    for (size_t i = 0; i < n; i++)
        numbers[i] = (uint32_t)next_random(&state);

    ordered = by_owner(numbers, n, starts, n_pes);
    deal_out(received, room, ordered, starts, me, n_pes);
    qsort(received, n_mine, sizeof *received, by_value);

    good = is_sorted(received, me, n_pes);
    shmem_size_sum_reduce(SHMEM_TEAM_WORLD, &total, &n_mine, 1);
    good = good && total == n * (size_t)n_pes;
    if (me == 0)
        printf("%zu numbers are %s\n", total, good ? "sorted" : "not sorted");
    free(starts);
    free(ordered);
    free(numbers);
    shmem_free(received);
    shmem_finalize();
    return good ? 0 : 1;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* The collectives on active sets: overlapping sets, which the first PE to use them makes. */
#include <string.h>

#include "harness/oracle.h"
#include "tsan/pes.h"

enum { SETS = 3, PSYNCS = 2, LARGEST = 3000, ROUNDS = 400 };

/* A set as the old interface names it, and this PE's place in it, or -1. */
struct set {
    int start, log_stride, size, me;
};

struct arrays {
    long psync[SETS][PSYNCS][SHMEM_COLLECT_SYNC_SIZE + SHMEM_REDUCE_SYNC_SIZE +
                             SHMEM_ALLTOALL_SYNC_SIZE + SHMEM_BCAST_SYNC_SIZE];
    long long work[LARGEST + SHMEM_REDUCE_MIN_WRKDATA_SIZE];
    long long *source, *dest;
};

static long long element(int member, size_t i, unsigned salt)
{
    return (long long)(oracle_bits(member, i, salt) >> 8);
}

static void check_blocks(const struct set *s, const long long *dest, size_t n, unsigned salt,
                         size_t offset, const char *name)
{
    for (int k = 0; k < s->size; k++)
        for (size_t i = 0; i < n; i++)
            expect(dest[(size_t)k * n + i] == element(k, offset + i, salt), name,
                   "%zu elements: block %d, element %zu is %lld, expected %lld", n, k, i,
                   dest[(size_t)k * n + i], element(k, offset + i, salt));
}

static void check_sum(const struct set *s, const long long *dest, size_t n, unsigned salt)
{
    for (size_t i = 0; i < n; i++) {
        long long sum = 0;

        for (int k = 0; k < s->size; k++)
            sum += element(k, i, salt);
        expect(dest[i] == sum, "sum", "%zu elements: element %zu is %lld, expected %lld", n, i,
               dest[i], sum);
    }
}

/* The set's members call each family once; sources change as soon as a call has returned. */
static void play(struct arrays *a, const struct set *s, long *psync, size_t n, unsigned salt)
{
    size_t all = n * (size_t)s->size;
    long long *dest = a->dest;
    int root = (int)(salt % (unsigned)s->size);

    for (size_t i = 0; i < all; i++)
        a->source[i] = element(s->me, i, salt);
    shmem_fcollect64(dest, a->source, n, s->start, s->log_stride, s->size, psync);
    shmem_alltoall64(dest + all, a->source, n, s->start, s->log_stride, s->size, psync);
    shmem_longlong_sum_to_all(dest + 2 * all, a->source, (int)n, s->start, s->log_stride, s->size,
                              a->work, psync);
    shmem_broadcast64(dest + 3 * all, a->source, n, root, s->start, s->log_stride, s->size, psync);
    shmem_collect64(dest + 4 * all, a->source, n, s->start, s->log_stride, s->size, psync);
    memset(a->source, 0xa5, all * sizeof *a->source);
    check_blocks(s, dest, n, salt, 0, "fcollect");
    check_blocks(s, dest + all, n, salt, (size_t)s->me * n, "alltoall");
    check_sum(s, dest + 2 * all, n, salt);
    for (size_t i = 0; s->me != root && i < n; i++)
        expect(dest[3 * all + i] == element(root, i, salt), "broadcast",
               "%zu elements: element %zu is %lld", n, i, dest[3 * all + i]);
    check_blocks(s, dest + 4 * all, n, salt, 0, "collect");
    memset(dest, 0, 5 * all * sizeof *dest);
    if (salt % 2)
        shmem_barrier(s->start, s->log_stride, s->size, psync);
    else
        shmem_sync(s->start, s->log_stride, s->size, psync);
}

static void body(void)
{
    int me = shmem_my_pe(), n = shmem_n_pes();
    struct set sets[SETS] = {
        {0, 0, n, me},
        {0, 1, (n + 1) / 2, me % 2 ? -1 : me / 2},
        {n / 2, 0, n - n / 2, me < n / 2 ? -1 : me - n / 2},
    };
    struct arrays *a = shmem_calloc(1, sizeof *a);
    size_t most = (size_t)(LARGEST > 64 * n ? LARGEST : 64 * n);

    a->source = shmem_calloc(most, sizeof *a->source);
    a->dest = shmem_calloc(5 * most, sizeof *a->dest);
    for (unsigned round = 0; round < (unsigned)pes_rounds(ROUNDS); round++)
        for (int i = 0; i < SETS; i++) {
            const struct set *s = &sets[i];
            size_t sizes[] = {1, 7, 60, (size_t)(LARGEST / s->size)};

            if (s->me >= 0)
                play(a, s, a->psync[i][round % PSYNCS], sizes[round % 4],
                     round * SETS + (unsigned)i);
        }
}

int main(int argc, char **argv)
{
    return pes_run(argc, argv, "tsan/active_set", body);
}

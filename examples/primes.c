/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Work that is shared out as it goes: who is free takes the next piece from a counter on PE 0 by an
 * atomic fetch-and-increment, so that nobody waits for the slowest. A reduction adds the results.
 */
#include <shmem.h>
#include <stdio.h>

#define LIMIT 1000000L
#define PIECE 10000L

static long next_piece; /* the one on PE 0 counts */

static long primes_between(long from, long to)
{
    long count = 0;

    for (long n = from < 2 ? 2 : from; n < to; n++) {
        long divisor = 2;

        while (divisor * divisor <= n && n % divisor != 0)
            divisor++;
        count += divisor * divisor > n;
    }
    return count;
}

int main(void)
{
    static long mine, all;
    long piece;

    shmem_init();
    while ((piece = shmem_long_atomic_fetch_inc(&next_piece, 0)) * PIECE < LIMIT)
        mine += primes_between(piece * PIECE, (piece + 1) * PIECE);

    shmem_long_sum_reduce(SHMEM_TEAM_WORLD, &all, &mine, 1);
    if (shmem_my_pe() == 0)
        printf("There are %ld primes below %ld\n", all, LIMIT);
    shmem_finalize();
    return 0;
}

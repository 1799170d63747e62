/* SPDX-License-Identifier: BSD-3-Clause */
/* The ring of broadcasts: a slot is filled again only after every member has read it. */
#include "base/atomics.h"
#include "tsan/pes.h"

/*
 * The pairs are those of coll/node_broadcast.h: the slot's number, released by the root and
 * acquired by the others; the counts of readers and of those who have taken a batch, by which a
 * root knows that it may overwrite. Roots run ahead of the others as far as the ring lets them.
 */
enum { ROUNDS = 2000, IN_A_ROW = 40, SMALL = 8, STREAMED = 128, MOST = 1100 };

/* Few are too long for the stream, and have the root wait. */
static int size_of(uint32_t *common)
{
    unsigned kind = pes_random(common) % 32;

    return (int)(pes_random(common) % (kind == 0 ? MOST : kind < 8 ? STREAMED : SMALL));
}

static long expected(long number, int i)
{
    return number * 1000 + i;
}

static void body(void)
{
    long *source = shmem_calloc(MOST, sizeof *source);
    long(*dest)[MOST] = shmem_calloc(IN_A_ROW, sizeof *dest);
    int me = shmem_my_pe(), n = shmem_n_pes();
    uint32_t common = 1, own = (uint32_t)me;
    long number = 0;

    for (int round = 0; round < pes_rounds(ROUNDS); round++) {
        int sizes[IN_A_ROW], root = (int)(pes_random(&common) % (unsigned)n);

        for (int k = 0; k < IN_A_ROW; k++) {
            sizes[k] = size_of(&common);
            if (pes_random(&common) % 32 == 0)
                root = (int)(pes_random(&common) % (unsigned)n);
            for (int i = 0; me == root && i < sizes[k]; i++)
                source[i] = expected(number + k, i);
            shmem_long_broadcast(SHMEM_TEAM_WORLD, dest[k], source, (size_t)sizes[k], root);
            pes_dawdle(&own, (k + me) % 16 ? 1 : 4000);
        }
        for (int k = 0; k < IN_A_ROW; k++)
            for (int i = 0; i < sizes[k]; i++)
                expect(dest[k][i] == expected(number + k, i), "in-order",
                       "broadcast %ld: element %d is %ld, expected %ld", number + k, i, dest[k][i],
                       expected(number + k, i));
        number += IN_A_ROW;
        shmem_team_sync(SHMEM_TEAM_WORLD); /* dest may be written again */
    }
}

int main(int argc, char **argv)
{
    return pes_run(argc, argv, "litmus/broadcast", body);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Cells of two parities: a round overwrites only what every member has read. */
#include <string.h>

#include "core/sync.h"
#include "tsan/pes.h"

/*
 * A member writes its cell of round r + 2 after round r + 1 is complete, to which each member has
 * come by way of its loads of round r. The partner of that is the member's arrival in r + 1: by its
 * cell's release, or by its add to the counter. Some members are late to read; nothing but the next
 * round waits for them.
 */
enum { ROUNDS = 20000 };

static void fill(unsigned char *payload, int member, long round)
{
    for (int i = 0; i < TERN_SYNC_PAYLOAD; i++)
        payload[i] = (unsigned char)(member * 31 + round * 7 + i);
}

static void play(bool by_counter)
{
    int me = shmem_my_pe(), n = shmem_n_pes();
    struct tern_sync_shared *shared = pes_shared(tern_sync_shared_bytes(n));
    unsigned char mine[TERN_SYNC_PAYLOAD], theirs[TERN_SYNC_PAYLOAD];
    uint32_t seed = (uint32_t)me;
    struct tern_sync sync;

    tern_sync_init(&sync, shared, me, n, n, NULL);
    sync.by_counter = by_counter;
    for (long round = 1; round <= pes_rounds(ROUNDS); round++) {
        fill(mine, me, round);
        tern_sync_allgather(&sync, mine, sizeof mine, "litmus/parity");
        for (int i = 0; i < n; i++) {
            pes_dawdle(&seed, (round + me) % 16 ? 1 : 2000);
            fill(theirs, i, round);
            expect(memcmp(tern_sync_payload(&sync, i), theirs, sizeof theirs) == 0, "still-there",
                   "round %ld: what member %d gave is not what is read", round, i);
        }
    }
    tern_sync_barrier(&sync, "litmus/parity");
}

static void body(void)
{
    play(false);
    play(true);
}

int main(int argc, char **argv)
{
    return pes_run(argc, argv, "litmus/parity", body);
}

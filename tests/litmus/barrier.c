/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The barrier in both forms: stores of any member before it are visible to every member after it.
 */
#include "core/sync.h"
#include "tsan/pes.h"

/*
 * By cells, each member's release is seen by each other's acquire. By counter there is a chain: a
 * member's add to `arrived`, that of the last to arrive, and its release of `round` to all who
 * wait.
 */
enum { ROUNDS = 20000 };

struct slot {
    long value; /* plain; another member stores it in each round */
} TERN_ALIGNED(TERN_LINE);

static void play(bool by_counter)
{
    int me = shmem_my_pe(), n = shmem_n_pes();
    struct tern_sync_shared *shared = pes_shared(tern_sync_shared_bytes(n));
    struct slot *slots = pes_shared((size_t)n * sizeof *slots);
    uint32_t seed = (uint32_t)me;
    struct tern_sync sync;

    tern_sync_init(&sync, shared, me, n, n, NULL);
    sync.by_counter = by_counter;
    for (long round = 1; round <= pes_rounds(ROUNDS); round++) {
        slots[(me + round) % n].value = round;
        pes_dawdle(&seed, round % 64 ? 1 : 20000);
        tern_sync_barrier(&sync, "litmus/barrier");
        for (int i = 0; i < n; i++)
            expect(slots[i].value == round, "all-stores-seen", "round %ld: slot %d has %ld", round,
                   i, slots[i].value);
        tern_sync_barrier(&sync, "litmus/barrier");
    }
}

static void body(void)
{
    play(false);
    play(true);
}

int main(int argc, char **argv)
{
    return pes_run(argc, argv, "litmus/barrier", body);
}

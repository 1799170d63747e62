/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Rounds that the first member leads: it sees all members' stores, and all see what it then stores.
 */
#include "core/sync.h"
#include "tsan/pes.h"

enum { ROUNDS = 20000 };

struct slot {
    long value; /* plain; a member stores it in each round */
} TERN_ALIGNED(TERN_LINE);

struct work {
    struct tern_sync *sync;
    struct slot *slots, *result;
    long round;
};

static void lead(void *arg)
{
    struct work *w = arg;

    for (int i = 0; i < w->sync->n; i++) {
        long published = *(const long *)tern_sync_payload(w->sync, i);

        expect(w->slots[i].value == w->round, "leader-sees-all", "round %ld: slot %d has %ld",
               w->round, i, w->slots[i].value);
        expect(published == w->round + i, "leader-sees-all", "round %ld: member %d published %ld",
               w->round, i, published);
    }
    w->result->value = -w->round;
}

static void play(bool by_counter)
{
    int me = shmem_my_pe(), n = shmem_n_pes();
    struct tern_sync_shared *shared = pes_shared(tern_sync_shared_bytes(n));
    struct slot *slots = pes_shared((size_t)(n + 1) * sizeof *slots);
    uint32_t seed = (uint32_t)me;
    struct tern_sync sync;

    tern_sync_init(&sync, shared, me, n, n, NULL);
    sync.by_counter = by_counter;
    for (long round = 1; round <= pes_rounds(ROUNDS); round++) {
        struct work work = {&sync, slots, &slots[n], round};
        long mine = round + me;

        slots[(me + round) % n].value = round;
        pes_dawdle(&seed, round % 64 ? 1 : 20000);
        tern_sync_led(&sync, &mine, sizeof mine, lead, &work, "litmus/led");
        expect(slots[n].value == -round, "all-see-leader", "round %ld: result %ld", round,
               slots[n].value);
        if (round % 2)
            tern_sync_barrier(&sync, "litmus/led"); /* the same round of another kind */
    }
}

static void body(void)
{
    play(false);
    play(true);
}

int main(int argc, char **argv)
{
    return pes_run(argc, argv, "litmus/led", body);
}

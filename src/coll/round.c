/* SPDX-License-Identifier: BSD-3-Clause */
/* The barrier as a collective, and rounds in which the last member to arrive works for all. */
#include "coll/round.h"

#include "coll/coll.h"

void tern_coll_sync(struct tern_team *team, const char *routine)
{
    tern_sync_barrier(&team->sync, routine);
}

void tern_round_enter_finish(struct tern_team *team, const void *mine, size_t bytes,
                             void (*finish)(struct tern_team *team, const void *arg),
                             const void *arg, const char *routine)
{
    struct tern_sync *sync = &team->sync;
    struct tern_sync_shared *s = sync->shared;

    if (!tern_round_is_finished(team)) {
        tern_sync_allgather(sync, mine, bytes, routine);
        return;
    }
    sync->round++;
    memcpy(s->cells[sync->me][sync->round % 2].payload, mine, bytes);
    /* Acquire and release: the last to arrive sees all payloads, and so will those it lets go. */
    if (tern_fetch_add(&s->arrived, 1) + 1 == sync->round * (uint64_t)sync->n) {
        finish(team, arg);
        tern_store_release(&s->round, sync->round); /* partner: the wait below */
        tern_bell_ring(&s->bell);
    } else {
        tern_round_wait(team, &s->round, sync->round, routine);
    }
}

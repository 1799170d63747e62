/* SPDX-License-Identifier: BSD-3-Clause */
/* Rounds of a team: what collectives are built from. */
#ifndef TERN_COLL_ROUND_H
#define TERN_COLL_ROUND_H

#include <string.h>

#include "coll/state.h"
#include "core/team.h"

/*
 * A collective on large data is two rounds: one to enter, in which each member tells where its
 * data is (only from then on may others read its source or write its dest), and one to leave, after
 * which nobody does so any more. Small data travels in the first round and needs no second: cells
 * are not written again before all have read them (see core/sync.h).
 *
 * The members share memory. In a team that spans nodes these are the rounds of one node's part,
 * between which the parts exchange what they have; that schedule is the collective's, not ours.
 */

/* Waits for all members; each publishes `bytes`, TERN_SYNC_PAYLOAD at most. */
static inline void tern_round_enter(struct tern_team *team, const void *mine, size_t bytes,
                                    const char *routine)
{
    tern_sync_allgather(&team->sync, mine, bytes, routine);
}

static inline void tern_round_leave(struct tern_team *team, const char *routine)
{
    tern_sync_barrier(&team->sync, routine);
}

/* What a member has published; stays so until the caller begins its next round. */
static inline const void *tern_round_payload(const struct tern_team *team, int member)
{
    return tern_sync_payload(&team->sync, member);
}

/*
 * The same as tern_round_enter(); but where the last member to arrive lets all others go, it first
 * calls finish(team, arg), while nobody else looks at the payloads: n members then need not each
 * look at n cache lines. tern_round_is_finished() tells the members, all alike, whether this is so.
 */
void tern_round_enter_finish(struct tern_team *team, const void *mine, size_t bytes,
                             void (*finish)(struct tern_team *team, const void *arg),
                             const void *arg, const char *routine);

static inline bool tern_round_is_finished(const struct tern_team *team)
{
    return tern_sync_finishes(&team->sync);
}

/*
 * Where finish() may leave a cache line for all. They read it before their next round, and only
 * when all have begun that can another finish() run.
 */
static inline void *tern_round_result(const struct tern_team *team)
{
    return team->coll->shared->result;
}

/* A payload for finish() to change. */
static inline void *tern_round_payload_to_change(const struct tern_team *team, int member)
{
    return tern_sync_payload_to_change(&team->sync, member);
}

/* The order in which members turn to each other: from this one on, so that not all hit the same. */
static inline int tern_round_next(const struct tern_team *team, int member)
{
    return member + 1 < team->pes.size ? member + 1 : 0;
}

/* Waits until a word of the team's shared memory, which only grows, is `least` or more. */
static inline void tern_round_wait(struct tern_team *team, const uint64_t *word, uint64_t least,
                                   const char *routine)
{
    struct tern_wait w = tern_wait_begin(&team->sync.shared->bell, routine);

    w.group = &team->pes;
    /* Acquire: the partner is named by the caller. */
    while (tern_load_acquire(word) < least)
        tern_wait_step(&w);
    tern_wait_end(&w);
}

static inline void tern_round_ring(struct tern_team *team)
{
    tern_bell_ring(&team->sync.shared->bell);
}

#endif

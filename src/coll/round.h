/* SPDX-License-Identifier: BSD-3-Clause */
/* Rounds of a team, of which collectives are composed. */
#ifndef TERN_COLL_ROUND_H
#define TERN_COLL_ROUND_H

#include <string.h>

#include "coll/state.h"
#include "core/team.h"

/*
 * A collective on large data has two rounds. In the first, each member publishes the symmetric
 * offset of its data; from then on others may read its source and write its dest. After the second,
 * no member accesses them any more. Small data travels in the first round and needs no second:
 * cells are not written again before all members have read them (see core/sync.h).
 *
 * The members share memory. In a multinode team, these are rounds of one node's part; between them,
 * the collective exchanges data of the parts.
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

/* What a member has published; valid until the caller begins its next round. */
static inline const void *tern_round_payload(const struct tern_team *team, int member)
{
    return tern_sync_payload(&team->sync, member);
}

/*
 * As tern_round_enter(). If the last member to arrive releases all others, it first calls
 * finish(team, arg), while no other member reads the payloads. The n members then need not read n
 * cache lines each. tern_round_is_finished() returns on all members whether finish() was called.
 */
void tern_round_enter_finish(struct tern_team *team, const void *mine, size_t bytes,
                             void (*finish)(struct tern_team *team, const void *arg),
                             const void *arg, const char *routine);

static inline bool tern_round_is_finished(const struct tern_team *team)
{
    return tern_sync_finishes(&team->sync);
}

/* The most bytes of each member for which finish() takes less time than a further round. */
static inline size_t tern_round_most_finished(const struct tern_team *team)
{
    return team->sync.most_finished;
}

/*
 * tern_round_enter() in three steps: a member arrives, may read from those that have arrived, and
 * waits for all. Each member counts itself at those that it has read from, once, in place of
 * tern_round_leave(); a member waits until all others have counted themselves.
 */
static inline void tern_round_arrive(struct tern_team *team, const void *mine, size_t bytes)
{
    tern_sync_arrive(&team->sync, mine, bytes);
}

static inline bool tern_round_has_arrived(const struct tern_team *team, int member)
{
    return tern_sync_has_arrived(&team->sync, member);
}

static inline void tern_round_await(struct tern_team *team, const char *routine)
{
    tern_sync_await(&team->sync, routine);
}

void tern_round_count_reader(struct tern_team *team, int member);
void tern_round_await_readers(struct tern_team *team, const char *routine);

/*
 * A cache line that finish() may write for all members. They read it before their next round;
 * another finish() can only run when all have begun that round.
 */
static inline void *tern_round_result(const struct tern_team *team)
{
    return team->coll->shared->result;
}

/* A payload that finish() may change. */
static inline void *tern_round_payload_to_change(const struct tern_team *team, int member)
{
    return tern_sync_payload_to_change(&team->sync, member);
}

/*
 * The member after this one, around the team. Members that start with themselves do not all access
 * the same member at once.
 */
static inline int tern_round_next(const struct tern_team *team, int member)
{
    return member + 1 < team->pes.size ? member + 1 : 0;
}

/* Waits until a word of the team's shared memory is at least `least`. The word only grows. */
static inline void tern_round_wait(struct tern_team *team, const uint64_t *word, uint64_t least,
                                   const char *routine)
{
    struct tern_wait w = tern_wait_begin(&team->sync.shared->bell, routine);

    w.group = &team->pes;
    /* Acquire: the caller names the partner. */
    while (tern_load_acquire(word) < least)
        tern_wait_step(&w);
    tern_wait_end(&w);
}

static inline void tern_round_ring(struct tern_team *team)
{
    tern_bell_ring(&team->sync.shared->bell);
}

#endif

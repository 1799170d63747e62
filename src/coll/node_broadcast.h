/* SPDX-License-Identifier: BSD-3-Clause */
/* Broadcast among members that share memory: a ring of slots that roots fill ahead of readers. */
#ifndef TERN_COLL_NODE_BROADCAST_H
#define TERN_COLL_NODE_BROADCAST_H

#include <stdbool.h>
#include <stddef.h>

#include "base/copy.h"
#include "coll/round.h"
#include "core/team.h"

/*
 * The members count the broadcasts of their team, so they agree that broadcast b uses slot b % 16,
 * whichever member is the root. The root writes the slot; the others wait for its number.
 *
 *   up to 56 bytes   The slot carries the data, and the root does not wait: no barrier, one cache
 *                    line for each reader. Moved per PE: the data, twice.
 *   more             The slot carries the symmetric offset of the root's source. Each reader copies
 *                    from there into its own dest, once, and increments a count. The root waits for
 *                    the count, since its source must be reusable on return. Readers do not wait
 *                    for each other.
 *
 * A slot may be filled again when all members have read it. After each batch of 8 broadcasts, every
 * member increments one of two words, which batches use in turn. The root of the first broadcast of
 * batch k waits until all members have read batch k - 2, whose slots batch k fills again. The root
 * of a later broadcast of batch k has received the first one, so the wait holds for it as well. No
 * member increments the word for batch k before all have done so for batch k - 2, so two words are
 * enough.
 */
#define TERN_NODE_BROADCAST_BATCH (TERN_COLL_RING / 2)

static inline void tern_node_broadcast_wait_for_room(struct tern_team *team, uint64_t number,
                                                     const char *routine)
{
    uint64_t batch = (number - 1) / TERN_NODE_BROADCAST_BATCH;

    if ((number - 1) % TERN_NODE_BROADCAST_BATCH || batch < 2)
        return;
    /*
     * Partner: the addition in tern_node_broadcast_acknowledge(). batch / 2 batches before this one
     * used the word.
     */
    tern_round_wait(team, &team->coll->shared->taken[batch % 2],
                    batch / 2 * (uint64_t)team->pes.size, routine);
}

static inline void tern_node_broadcast_acknowledge(struct tern_team *team, uint64_t number)
{
    uint64_t batch = (number - 1) / TERN_NODE_BROADCAST_BATCH;
    uint64_t all = (batch / 2 + 1) * (uint64_t)team->pes.size;

    if (number % TERN_NODE_BROADCAST_BATCH)
        return;
    /* Release: the slots' contents have been read. Only the last addition can end a root's wait. */
    if (tern_fetch_add(&team->coll->shared->taken[batch % 2], 1) + 1 == all)
        tern_round_ring(team);
}

static inline void tern_node_broadcast_post(struct tern_team *team, uint64_t number,
                                            const void *payload, size_t bytes)
{
    struct tern_coll_slot *slot = &team->coll->shared->ring[number % TERN_COLL_RING];

    tern_copy(slot->payload, payload, bytes);
    tern_store_release(&slot->number, number); /* partner: the wait in tern_node_broadcast_take() */
    tern_round_ring(team);
}

static inline const void *tern_node_broadcast_take(struct tern_team *team, uint64_t number,
                                                   const char *routine)
{
    const struct tern_coll_slot *slot = &team->coll->shared->ring[number % TERN_COLL_RING];

    tern_round_wait(team, &slot->number, number, routine);
    return slot->payload;
}

/* The steps of more than 56 bytes, on the root and on the other members. */
void tern_node_broadcast_send_large(struct tern_team *team, uint64_t number, const void *source,
                                    void *dest, size_t bytes, bool to_root, const char *routine);
void tern_node_broadcast_receive_large(struct tern_team *team, uint64_t number, void *dest,
                                       size_t bytes, int root, const char *routine);

/*
 * For a team on one node, or a part of a multinode team. Arguments are as in coll.h; bytes is not
 * 0, and the caller has checked that the arrays are symmetric. Inline, since a call more would take
 * a nanosecond of the ten of a small broadcast.
 */
static inline void tern_node_broadcast(struct tern_team *team, void *dest, const void *source,
                                       size_t bytes, int root, bool to_root, const char *routine)
{
    bool small = tern_sync_in_cells(bytes);
    uint64_t number = ++team->coll->broadcasts;

    if (team->me == root) {
        tern_node_broadcast_wait_for_room(team, number, routine);
        if (small) {
            tern_node_broadcast_post(team, number, source, bytes);
            if (to_root && dest != source)
                tern_copy(dest, source, bytes);
        } else {
            tern_node_broadcast_send_large(team, number, source, dest, bytes, to_root, routine);
        }
    } else if (small) {
        tern_copy(dest, tern_node_broadcast_take(team, number, routine), bytes);
    } else {
        tern_node_broadcast_receive_large(team, number, dest, bytes, root, routine);
    }
    tern_node_broadcast_acknowledge(team, number);
}

#endif

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
 * The members count the broadcasts of their team, so they agree that broadcast b uses slot b % 64,
 * whichever member is the root. The root writes the slot; the others wait for its number.
 *
 *   cell     Up to 56 bytes. The slot carries the data, and the root does not wait: no barrier, one
 *            cache line for each reader. Moved per PE: the data, twice.
 *   stream   Up to TERN_SYNC_MOST_STREAMED bytes. The root writes the data to a stream behind
 *            the slots, and does not wait either. The members know all lengths, so they agree on
 *            the data's place. Moved per PE: the data, twice.
 *   large    The slot carries the symmetric offset of the root's source. Each reader copies from
 *            there into its own dest, once, and increments a count. The root waits for the count,
 *            since its source must be reusable on return. Readers do not wait for each other.
 *
 * A slot and its part of the stream may be filled again when all members have read them. Broadcasts
 * are counted in batches. A batch ends when it has half of all slots, or when the next data does
 * not fit into the half of the stream that the batch uses. A member that enters the next batch
 * increments one of two words, which batches use in turn. The root of the first broadcast of batch
 * k waits until all members have read batch k - 2, whose memory batch k fills again. The root of a
 * later broadcast of batch k has received the first one, so the wait holds for it as well. No
 * member increments the word for batch k before all have done so for batch k - 2, so two words are
 * enough.
 */
#define TERN_NODE_BROADCAST_BATCH (TERN_COLL_RING / 2)

#define TERN_NODE_BROADCAST_HALF (TERN_COLL_STREAM_BYTES / 2)

/* Ends this member's batch: it has read all of its slots. */
void tern_node_broadcast_next_batch(struct tern_team *team) TERN_COLD;

/* The number of the next broadcast, which uses that many bytes of the stream. */
static inline uint64_t tern_node_broadcast_begin(struct tern_team *team, size_t streamed)
{
    struct tern_coll *coll = team->coll;

    if (tern_unlikely(coll->in_batch == TERN_NODE_BROADCAST_BATCH ||
                      streamed > TERN_NODE_BROADCAST_HALF - coll->streamed))
        tern_node_broadcast_next_batch(team);
    coll->in_batch++;
    return ++coll->broadcasts;
}

static inline void tern_node_broadcast_wait_for_room(struct tern_team *team, const char *routine)
{
    uint64_t batch = team->coll->batch;

    if (tern_likely(team->coll->in_batch > 1) || batch < 2)
        return;
    /*
     * Partner: the addition in tern_node_broadcast_next_batch(). batch / 2 batches before this one
     * used the word.
     */
    tern_round_wait(team, &team->coll->shared->taken[batch % 2],
                    batch / 2 * (uint64_t)team->pes.size, routine);
}

static inline void tern_node_broadcast_post(struct tern_team *team, uint64_t number,
                                            const void *payload, size_t bytes)
{
    struct tern_coll_slot *slot = &team->coll->shared->ring[number % TERN_COLL_RING];

    if (bytes)
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

/* Broadcasts of more than 56 bytes. */
void tern_node_broadcast_long(struct tern_team *team, void *dest, const void *source, size_t bytes,
                              int root, bool to_root, const char *routine);

/*
 * For a team on one node, or a part of a multinode team. Arguments are as in coll.h; bytes is not
 * 0, and the caller has checked that the arrays are symmetric. Inline, since a call more would take
 * a nanosecond of the ten of a small broadcast.
 */
static inline void tern_node_broadcast(struct tern_team *team, void *dest, const void *source,
                                       size_t bytes, int root, bool to_root, const char *routine)
{
    uint64_t number;

    if (!tern_sync_in_cells(bytes)) {
        tern_node_broadcast_long(team, dest, source, bytes, root, to_root, routine);
        return;
    }
    number = tern_node_broadcast_begin(team, 0);
    if (team->me != root) {
        tern_copy(dest, tern_node_broadcast_take(team, number, routine), bytes);
        return;
    }
    tern_node_broadcast_wait_for_room(team, routine);
    tern_node_broadcast_post(team, number, source, bytes);
    if (to_root && dest != source)
        tern_copy(dest, source, bytes);
}

#endif

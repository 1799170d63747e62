/* SPDX-License-Identifier: BSD-3-Clause */
/* Broadcast on one node: a ring of slots that roots fill ahead of their readers. */
#include "coll/node_broadcast.h"

#include "base/copy.h"
#include "coll/round.h"
#include "coll/symmetric.h"

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
#define BATCH (TERN_COLL_RING / 2)

static void wait_for_room(struct tern_team *team, uint64_t number, const char *routine)
{
    uint64_t batch = (number - 1) / BATCH;

    if ((number - 1) % BATCH || batch < 2)
        return;
    /* Partner: the addition in acknowledge(). batch / 2 batches before this one used the word. */
    tern_round_wait(team, &team->coll->shared->taken[batch % 2],
                    batch / 2 * (uint64_t)team->pes.size, routine);
}

static void acknowledge(struct tern_team *team, uint64_t number)
{
    uint64_t batch = (number - 1) / BATCH;
    uint64_t all = (batch / 2 + 1) * (uint64_t)team->pes.size;

    if (number % BATCH)
        return;
    /* Release: the slots' contents have been read. Only the last addition can end a root's wait. */
    if (tern_fetch_add(&team->coll->shared->taken[batch % 2], 1) + 1 == all)
        tern_round_ring(team);
}

static void post(struct tern_team *team, uint64_t number, const void *payload, size_t bytes)
{
    struct tern_coll_slot *slot = &team->coll->shared->ring[number % TERN_COLL_RING];

    tern_copy(slot->payload, payload, bytes);
    tern_store_release(&slot->number, number); /* partner: the wait in take() */
    tern_round_ring(team);
}

static const void *take(struct tern_team *team, uint64_t number, const char *routine)
{
    const struct tern_coll_slot *slot = &team->coll->shared->ring[number % TERN_COLL_RING];

    tern_round_wait(team, &slot->number, number, routine);
    return slot->payload;
}

static void send_large(struct tern_team *team, uint64_t number, const void *source, void *dest,
                       size_t bytes, bool to_root, const char *routine)
{
    uint64_t *readers = &team->coll->shared->readers[number % TERN_COLL_RING];
    uint64_t offset = tern_route_symmetric_offset(source);

    tern_store_relaxed(readers, 0); /* published by the release in post() */
    post(team, number, &offset, sizeof offset);
    if (to_root && dest != source)
        tern_copy(dest, source, bytes);
    /* Partner: the addition in receive_large(); from then on the source may change. */
    tern_round_wait(team, readers, (uint64_t)team->pes.size - 1, routine);
}

static void receive_large(struct tern_team *team, uint64_t number, void *dest, size_t bytes,
                          int root, const char *routine)
{
    uint64_t *readers = &team->coll->shared->readers[number % TERN_COLL_RING];
    uint64_t offset;

    memcpy(&offset, take(team, number, routine), sizeof offset);
    tern_copy(dest,
              tern_symmetric_peer_address(offset, bytes, tern_pe_range_world(&team->pes, root),
                                          "source", routine),
              bytes);
    /* Release: the source has been read. */
    if (tern_fetch_add(readers, 1) + 1 == (uint64_t)team->pes.size - 1)
        tern_round_ring(team);
}

void tern_node_broadcast(struct tern_team *team, void *dest, const void *source, size_t bytes,
                         int root, bool to_root, const char *routine)
{
    bool small = tern_sync_in_cells(bytes);
    uint64_t number = ++team->coll->broadcasts;

    if (team->me == root) {
        wait_for_room(team, number, routine);
        if (small) {
            post(team, number, source, bytes);
            if (to_root && dest != source)
                tern_copy(dest, source, bytes);
        } else {
            send_large(team, number, source, dest, bytes, to_root, routine);
        }
    } else if (small) {
        tern_copy(dest, take(team, number, routine), bytes);
    } else {
        receive_large(team, number, dest, bytes, root, routine);
    }
    acknowledge(team, number);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Broadcasts on one node that do not fit into a slot: by the stream, or from the root's source. */
#include "coll/node_broadcast.h"

#include "base/bytes.h"
#include "coll/symmetric.h"

void tern_node_broadcast_next_batch(struct tern_team *team)
{
    struct tern_coll *coll = team->coll;
    uint64_t all = (coll->batch / 2 + 1) * (uint64_t)team->pes.size;

    /* Release: the batch has been read. Only the last addition can end a root's wait. */
    if (tern_fetch_add(&coll->shared->taken[coll->batch % 2], 1) + 1 == all)
        tern_round_ring(team);
    coll->batch++;
    coll->in_batch = 0;
    coll->streamed = 0;
}

/* ---- stream ---- */

static char *stream_at(uint64_t offset)
{
    if (offset == TERN_COLL_NO_STREAM)
        return NULL;
    return tern_pool_at(tern_job.pool, tern_job.pool_bytes, offset, TERN_COLL_STREAM_BYTES);
}

/*
 * The root of the first streamed broadcast allocates the stream: most teams need none. Its slot
 * publishes the offset to the other members, of whom later ones may be roots.
 */
static char *stream_of_root(struct tern_team *team)
{
    uint64_t *stream = &team->coll->shared->stream;

    if (tern_unlikely(!*stream)) {
        uint64_t offset =
            tern_pool_alloc_uncleared(tern_job.pool, tern_job.pool_bytes, TERN_COLL_STREAM_BYTES);

        *stream = offset ? offset : TERN_COLL_NO_STREAM;
    }
    return stream_at(tern_load_relaxed(stream));
}

static const char *stream_of_reader(const struct tern_team *team)
{
    return stream_at(tern_load_relaxed(&team->coll->shared->stream));
}

/* Gives the broadcast that has begun its place in the stream. */
static size_t take_place(struct tern_team *team, size_t bytes)
{
    struct tern_coll *coll = team->coll;
    size_t at = coll->batch % 2 * TERN_NODE_BROADCAST_HALF + coll->streamed;

    coll->streamed += bytes;
    return at;
}

/* ---- large ---- */

static void send_large(struct tern_team *team, uint64_t number, const void *source, void *dest,
                       size_t bytes, bool to_root, const char *routine)
{
    uint64_t *readers = &team->coll->shared->readers[number % TERN_COLL_RING];
    uint64_t offset = tern_route_symmetric_offset(source);

    tern_store_relaxed(readers, 0); /* published by the release in tern_node_broadcast_post() */
    tern_node_broadcast_post(team, number, &offset, sizeof offset);
    if (to_root && dest != source)
        tern_copy(dest, source, bytes);
    /* Partner: the addition in receive_large(). The source may then change. */
    tern_round_wait(team, readers, (uint64_t)team->pes.size - 1, routine);
}

static void receive_large(struct tern_team *team, uint64_t number, const void *payload, void *dest,
                          size_t bytes, int root, const char *routine)
{
    uint64_t *readers = &team->coll->shared->readers[number % TERN_COLL_RING];
    uint64_t offset;

    memcpy(&offset, payload, sizeof offset);
    tern_copy(dest,
              tern_symmetric_peer_address(offset, bytes, tern_pe_range_world(&team->pes, root),
                                          "source", routine),
              bytes);
    /* Release: the source has been read. */
    if (tern_fetch_add(readers, 1) + 1 == (uint64_t)team->pes.size - 1)
        tern_round_ring(team);
}

/* ---- both ---- */

static void send_long(struct tern_team *team, uint64_t number, const void *source, void *dest,
                      size_t bytes, size_t streamed, bool to_root, const char *routine)
{
    char *stream = streamed ? stream_of_root(team) : NULL;

    if (!stream) {
        send_large(team, number, source, dest, bytes, to_root, routine);
        return;
    }
    tern_copy(stream + take_place(team, streamed), source, bytes);
    tern_node_broadcast_post(team, number, NULL, 0);
    if (to_root && dest != source)
        tern_copy(dest, source, bytes);
}

static void receive_long(struct tern_team *team, uint64_t number, void *dest, size_t bytes,
                         size_t streamed, int root, const char *routine)
{
    const void *payload = tern_node_broadcast_take(team, number, routine);
    const char *stream = streamed ? stream_of_reader(team) : NULL;

    if (stream)
        tern_copy(dest, stream + take_place(team, streamed), bytes);
    else
        receive_large(team, number, payload, dest, bytes, root, routine);
}

void tern_node_broadcast_long(struct tern_team *team, void *dest, const void *source, size_t bytes,
                              int root, bool to_root, const char *routine)
{
    size_t streamed =
        bytes <= tern_sync_most_streamed(&team->sync) ? tern_bytes_round_up(bytes, TERN_LINE) : 0;
    uint64_t number = tern_node_broadcast_begin(team, streamed);

    if (team->me == root) {
        tern_node_broadcast_wait_for_room(team, routine);
        send_long(team, number, source, dest, bytes, streamed, to_root, routine);
    } else {
        receive_long(team, number, dest, bytes, streamed, root, routine);
    }
}

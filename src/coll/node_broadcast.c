/* SPDX-License-Identifier: BSD-3-Clause */
/* Broadcast of large data on one node: readers copy from the root's source. */
#include "coll/node_broadcast.h"

#include "coll/symmetric.h"

void tern_node_broadcast_send_large(struct tern_team *team, uint64_t number, const void *source,
                                    void *dest, size_t bytes, bool to_root, const char *routine)
{
    uint64_t *readers = &team->coll->shared->readers[number % TERN_COLL_RING];
    uint64_t offset = tern_route_symmetric_offset(source);

    tern_store_relaxed(readers, 0); /* published by the release in tern_node_broadcast_post() */
    tern_node_broadcast_post(team, number, &offset, sizeof offset);
    if (to_root && dest != source)
        tern_copy(dest, source, bytes);
    /* Partner: the addition in tern_node_broadcast_receive_large(). The source may then change. */
    tern_round_wait(team, readers, (uint64_t)team->pes.size - 1, routine);
}

void tern_node_broadcast_receive_large(struct tern_team *team, uint64_t number, void *dest,
                                       size_t bytes, int root, const char *routine)
{
    uint64_t *readers = &team->coll->shared->readers[number % TERN_COLL_RING];
    uint64_t offset;

    memcpy(&offset, tern_node_broadcast_take(team, number, routine), sizeof offset);
    tern_copy(dest,
              tern_symmetric_peer_address(offset, bytes, tern_pe_range_world(&team->pes, root),
                                          "source", routine),
              bytes);
    /* Release: the source has been read. */
    if (tern_fetch_add(readers, 1) + 1 == (uint64_t)team->pes.size - 1)
        tern_round_ring(team);
}

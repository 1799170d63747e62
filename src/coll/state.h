/* SPDX-License-Identifier: BSD-3-Clause */
/* The state of a team's collectives, beside its barrier. */
#ifndef TERN_COLL_STATE_H
#define TERN_COLL_STATE_H

#include <stddef.h>
#include <stdint.h>

#include "core/sync.h"

#define TERN_COLL_RING 64u

/* A broadcast in progress. Small data shares the cache line of the number. */
struct tern_coll_slot {
    uint64_t number; /* of the broadcast, from 1; written last, with release */
    unsigned char payload[TERN_SYNC_PAYLOAD];
} TERN_ALIGNED(TERN_LINE);

/* Two halves, each with room for four broadcasts of the most bytes. */
#define TERN_COLL_STREAM_BYTES (8 * TERN_SYNC_MOST_STREAMED)
#define TERN_COLL_NO_STREAM 1u /* no offset of a block: there was no room */

/* Initially zero. See node_broadcast.h for the ring and the stream, round.h for the result. */
struct tern_coll_shared {
    struct tern_coll_slot ring[TERN_COLL_RING];
    uint64_t readers[TERN_COLL_RING] TERN_ALIGNED(
        TERN_LINE);                            /* members that have read a slot's source */
    uint64_t taken[2] TERN_ALIGNED(TERN_LINE); /* acknowledgements, by parity of their batch */
    uint64_t stream TERN_ALIGNED(TERN_LINE);   /* 0 before the first use: its offset in the pool */
    unsigned char result[TERN_LINE] TERN_ALIGNED(TERN_LINE);
};

/* What a member of a multinode team publishes; see multinode_table.h. */
struct tern_coll_entry {
    uint64_t source, dest; /* symmetric offsets; in collect, dest holds the length of source */
};

static inline size_t tern_coll_table_bytes(int n)
{
    return (size_t)n * sizeof(struct tern_coll_entry);
}

/* One member's private part. */
struct tern_coll {
    struct tern_coll_shared *shared; /* NULL in a multinode team: its part has it */
    struct tern_coll_entry *table;   /* by member; NULL unless the team is multinode */
    uint64_t broadcasts;             /* number of broadcasts begun */
    uint64_t batch;                  /* of the last one */
    uint32_t in_batch;               /* broadcasts of the batch begun */
    size_t streamed;                 /* bytes of the stream that the batch uses */
};

#endif

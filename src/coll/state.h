/* SPDX-License-Identifier: BSD-3-Clause */
/* What the members of a team share for collectives, beside their barrier. */
#ifndef TERN_COLL_STATE_H
#define TERN_COLL_STATE_H

#include <stddef.h>
#include <stdint.h>

#include "core/sync.h"

#define TERN_COLL_RING 16u

/* A broadcast on its way; small data travels in the cache line of the flag. */
struct tern_coll_slot {
    uint64_t number; /* of the broadcast, from 1; written last, with release */
    unsigned char payload[TERN_SYNC_PAYLOAD];
} TERN_ALIGNED(TERN_LINE);

/* Zero at first. See broadcast.c for the ring, round.h for the result. */
struct tern_coll_shared {
    struct tern_coll_slot ring[TERN_COLL_RING];
    uint64_t readers[TERN_COLL_RING] TERN_ALIGNED(TERN_LINE); /* through with a slot's source */
    uint64_t taken[2] TERN_ALIGNED(TERN_LINE); /* acknowledgements, by parity of their batch */
    unsigned char result[TERN_LINE] TERN_ALIGNED(TERN_LINE);
};

/* What each member of a multinode team publishes to the others; see multinode_table.h. */
struct tern_coll_entry {
    uint64_t source, dest; /* symmetric offsets; in a collect dest is the length of source */
};

static inline size_t tern_coll_table_bytes(int n)
{
    return (size_t)n * sizeof(struct tern_coll_entry);
}

/* One member's half. */
struct tern_coll {
    struct tern_coll_shared *shared; /* NULL in a team that spans nodes: its part has it */
    struct tern_coll_entry *table;   /* by member; in a team that spans nodes, else NULL */
    uint64_t broadcasts;             /* begun so far */
};

#endif

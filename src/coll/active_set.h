/* SPDX-License-Identifier: BSD-3-Clause */
/* Starts and ends the table in which the PEs of a node find their active sets. */
#ifndef TERN_COLL_ACTIVE_SET_H
#define TERN_COLL_ACTIVE_SET_H

#include <stdint.h>

#define TERN_ACTIVE_SET_BUCKETS 64u

/* Shared by the PEs of the node; initially zero. */
struct tern_active_sets {
    uint32_t lock;
    uint32_t reserved;
    uint64_t buckets[TERN_ACTIVE_SET_BUCKETS]; /* lists of sets, as offsets in the pool */
};

void tern_active_set_start(struct tern_active_sets *shared);

/* This PE leaves all its sets. The last member of a set on this node frees it. */
void tern_active_set_stop(void);

#endif

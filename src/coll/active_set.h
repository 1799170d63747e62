/* SPDX-License-Identifier: BSD-3-Clause */
/* The start and the end of the table by which the PEs of a node find their active sets. */
#ifndef TERN_COLL_ACTIVE_SET_H
#define TERN_COLL_ACTIVE_SET_H

#include <stdint.h>

#define TERN_ACTIVE_SET_BUCKETS 64u

/* Shared by the PEs of the node, zero at first. */
struct tern_active_sets {
    uint32_t lock;
    uint32_t reserved;
    uint64_t buckets[TERN_ACTIVE_SET_BUCKETS]; /* lists of sets, as offsets in the pool */
};

void tern_active_set_start(struct tern_active_sets *shared);

/* This PE leaves all sets; a set is gone when all of its members have. */
void tern_active_set_stop(void);

#endif

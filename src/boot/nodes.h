/* SPDX-License-Identifier: BSD-3-Clause */
/* The layout of a job: which PEs form a node. */
#ifndef TERN_BOOT_NODES_H
#define TERN_BOOT_NODES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/pe_range.h"

/* How the PEs of a machine are split for tests: SHMEM_NODES, SHMEM_NODES_CYCLIC. */
struct tern_nodes_split {
    int parts; /* 0, 1: none */
    bool cyclic;
};

/* What the layout depends on, for each PE. */
struct tern_nodes_pe {
    uint64_t machine;              /* equal for PEs that can share memory */
    struct tern_nodes_split split; /* the machine's first PE determines the split */
};

/*
 * Cuts a range into as many parts as the split says, or fewer if some would be empty. Each part has
 * consecutive members, or, if the split is cyclic, every k-th one. Returns the number of parts;
 * `parts` has room for split.parts.
 */
int tern_nodes_cut(const struct tern_pe_range *range, struct tern_nodes_split split,
                   struct tern_pe_range *parts);

/*
 * The nodes of a job of n PEs, in the order of their first PEs. A machine whose PEs are a range,
 * start + i * stride, is one node. On another machine, each run of consecutive PEs is a node. Both
 * are then split as requested. All PEs get the same result. Returns the number of nodes, or
 * -ENOMEM; the caller frees *nodes.
 */
int tern_nodes_lay_out(const struct tern_nodes_pe *pes, int n, struct tern_pe_range **nodes);

/* The number of the node that a PE is on, or -1. */
int tern_nodes_find(const struct tern_pe_range *nodes, int n_nodes, int pe);

#endif

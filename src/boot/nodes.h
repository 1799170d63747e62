/* SPDX-License-Identifier: BSD-3-Clause */
/* The layout of a job: which PEs are a node. */
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

/* A PE as the layout sees it. */
struct tern_nodes_pe {
    uint64_t machine;              /* equal for PEs that can share memory */
    struct tern_nodes_split split; /* that of a machine's first PE counts */
};

/*
 * Cuts a range into as many parts as the split says, but none of them empty: consecutive members,
 * or every so-manieth. Their number; parts has room for that, split.parts at most.
 */
int tern_nodes_cut(const struct tern_pe_range *range, struct tern_nodes_split split,
                   struct tern_pe_range *parts);

/*
 * The nodes of a job of n PEs, in the order of their first PEs: machines whose PEs are start + i *
 * stride are a node each; the PEs of others are cut where their numbers are not consecutive. Both
 * are split as asked. The same on every PE. The number of nodes, or -ENOMEM; *nodes is to be freed.
 */
int tern_nodes_lay_out(const struct tern_nodes_pe *pes, int n, struct tern_pe_range **nodes);

/* The number of the node that a PE is on, or -1. */
int tern_nodes_find(const struct tern_pe_range *nodes, int n_nodes, int pe);

#endif

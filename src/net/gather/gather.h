/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Small operations that travel together: a table of operations in front of an engine's. It gathers
 * small operations in frames for each node, and passes the rest to the engine.
 */
#ifndef TERN_NET_GATHER_GATHER_H
#define TERN_NET_GATHER_GATHER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/pe_range.h"
#include "net/gather/frame.h"
#include "net/net.h"

/* Memory of a PE of this node, where this PE can load and store it. */
struct tern_gather_memory {
    char *start;
    size_t bytes; /* 0: it can't be reached */
};

/* What gathering needs to know of the job, and functions of the library. */
struct tern_gather_job {
    const struct tern_pe_range *nodes;
    int n_nodes, node;
    size_t frame_bytes;  /* a frame has no more, or one operation */
    size_t memory_bytes; /* for all frames of this PE, or there is one */

    /* Finds a segment of a PE of this node; may map it. */
    struct tern_gather_memory (*find)(int node_pe, enum tern_net_segment segment);

    /* The memory of a PE of this node has changed: wakes its waiters. */
    void (*ring)(int node_pe);

    /* Whether the PEs of that PE's node reach its static data. From connect() on. */
    bool (*shares_static)(int pe);
};

/* The host for the engine: that of the library, and what frames need. Both stay valid. */
const struct tern_net_host *tern_gather_host(const struct tern_net_host *host,
                                             const struct tern_gather_job *job);

/* The table in front of the engine, which is open. */
const struct tern_net_ops *tern_gather_start(const struct tern_net_ops *engine);

/* Several threads are going to call at the same time; none of them does now. */
void tern_gather_share(void);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* The nodes of a job on one machine, and numbers that one PE finds out for all. */
#include "boot/machine.h"

#include <errno.h>
#include <stdlib.h>

#include "base/atomics.h"
#include "base/limit.h"
#include "base/log.h"
#include "base/memory_budget.h"
#include "boot/nodes.h"

uint64_t tern_machine_find_out(uint64_t *word, uint64_t (*find_out)(void))
{
    uint64_t known = word ? tern_load_acquire(word) : 0, mine;

    if (known)
        return known;
    mine = find_out();
    if (word &&
        !__atomic_compare_exchange_n(word, &known, mine, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
        return known;
    return mine;
}

int tern_machine_lay_out(struct tern_boot *boot, const struct tern_boot_request *request)
{
    struct tern_pe_range all = {0, 1, boot->n_pes}, *nodes;

    if (request->split > TERN_NODES_MOST) {
        tern_error("SHMEM_NODES is %d: a machine can be split into %d nodes", request->split,
                   TERN_NODES_MOST);
        return -EINVAL;
    }
    nodes = calloc((size_t)(request->split < 1 ? 1 : request->split), sizeof *nodes);
    if (!nodes)
        return tern_limit_refuse("the nodes of the job", sizeof *nodes);
    if (!request->heap)
        boot->memory = tern_machine_find_out(boot->area ? &boot->area->memory : NULL,
                                             tern_memory_budget_here) /
                       (unsigned)boot->machine_n_pes;
    boot->n_nodes =
        tern_nodes_cut(&all, (struct tern_nodes_split){request->split, request->cyclic}, nodes);
    boot->nodes = nodes;
    boot->node = tern_nodes_find(nodes, boot->n_nodes, boot->pe);
    boot->node_pe = tern_boot_node_pe(boot, boot->pe);
    boot->node_n_pes = nodes[boot->node].size;
    boot->offset += (uint64_t)boot->node * TERN_NODE_STRIDE;
    if (boot->area) {
        boot->slots = &boot->area->slots[nodes[boot->node].start];
        boot->slot_stride = nodes[boot->node].stride;
    }
    return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Describes the job to net/gather, and finds the memory of this node's PEs for it. */
#include "core/gathering.h"

#include "base/limit.h"
#include "base/log.h"
#include "base/settings.h"
#include "boot/boot.h"
#include "core/job.h"
#include "core/network.h"
#include "core/translation.h"
#include "core/wait.h"
#include "mem/static_data.h"

/* Unless SHMEM_GATHER_MEMORY says otherwise. */
#define MEMORY_BYTES ((size_t)16 << 20)

static struct tern_gather_memory find_own(enum tern_net_segment segment)
{
    const struct tern_static_data *image = tern_static_data_own();

    if (segment == TERN_NET_HEAP)
        return (struct tern_gather_memory){tern_job.heap_start, tern_job.arena.heap_bytes};
    return (struct tern_gather_memory){(char *)image->start, image->bytes};
}

/* Other nodes gather operations on static data only if all PEs here run their program. */
static struct tern_gather_memory find_memory(int node_pe, enum tern_net_segment segment)
{
    struct tern_gather_memory memory = find_own(segment);
    int pe = tern_boot_world_pe(tern_job.boot, node_pe);

    if (pe == tern_job.pe || !memory.bytes)
        return memory;
    memory.start = tern_translation_resolve(memory.start, memory.bytes, pe);
    if (!memory.start) {
        char why[TERN_LIMIT_ERROR_BYTES];

        tern_limit_explain_error(tern_translation_image_error(), why);
        tern_fatal(NULL,
                   "the static data of PE %d can't be mapped, for operations of other nodes: %s",
                   pe, why);
    }
    return memory;
}

static void ring(int node_pe)
{
    tern_bell_ring(&tern_job.bells[tern_boot_world_pe(tern_job.boot, node_pe)]);
}

const struct tern_gather_job *tern_gathering_job(void)
{
    static TERN_PE_LOCAL struct tern_gather_job job;
    const struct tern_boot *boot = tern_job.boot;
    const struct tern_settings *settings = tern_settings();
    long bytes = settings->gather_bytes;

    job = (struct tern_gather_job){
        .nodes = boot->nodes,
        .n_nodes = boot->n_nodes,
        .node = boot->node,
        .frame_bytes = bytes < 0 ? TERN_NET_FRAME_BYTES : (size_t)bytes,
        .memory_bytes = settings->gather_memory ? settings->gather_memory : MEMORY_BYTES,
        .find = find_memory,
        .ring = ring,
        .shares_static = tern_network_shares_static,
    };
    return &job;
}

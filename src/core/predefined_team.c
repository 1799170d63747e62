/* SPDX-License-Identifier: BSD-3-Clause */
/* Opens the teams that exist in every job. */
#include "core/predefined_team.h"

#include "core/job.h"
#include "core/multinode.h"
#include "core/network.h"

/* The world's part on this node, where the world spans several. */
static TERN_PE_LOCAL struct tern_team world_part;

static void open_team(struct tern_team *team, uintptr_t handle, struct tern_pe_range pes)
{
    team->handle = handle;
    team->pes = pes;
    team->me = tern_pe_range_find(&pes, tern_job.pe);
}

int tern_predefined_team_start(struct tern_sync_shared *world, struct tern_sync_shared *shared)
{
    const struct tern_boot *boot = tern_job.boot;
    struct tern_pe_range all = {0, 1, boot->n_pes};

    open_team(&tern_team_world, TERN_TEAM_WORLD, all);
    open_team(&tern_team_shared, TERN_TEAM_SHARED, boot->nodes[boot->node]);
    if (tern_multinode_is_needed(&all)) {
        int r = tern_multinode_open(&tern_team_world, &world_part);

        if (r)
            return r;
        tern_team_world.multinode->key = (struct tern_message_key){.kind = TERN_MULTINODE_WORLD};
        tern_network_on_message(TERN_MESSAGE_MULTINODE, tern_messages_receive);
    }
    tern_sync_init(&tern_team_local(&tern_team_world)->sync, world, boot->node_pe, boot->node_n_pes,
                   tern_job.cores, &tern_team_world.pes);
    tern_sync_init(&tern_team_shared.sync, shared, boot->node_pe, boot->node_n_pes, tern_job.cores,
                   &tern_team_shared.pes);
    return 0;
}

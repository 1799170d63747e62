/* SPDX-License-Identifier: BSD-3-Clause */
/* Starts the collectives with the predefined teams, and ends them with the last team. */
#include "coll/start.h"

#include <errno.h>

#include "base/log.h"
#include "coll/active_set.h"
#include "coll/round.h"
#include "coll/split.h"
#include "core/job.h"
#include "core/multinode.h"

/* The state that the PEs of a node share for the predefined teams; lives as long as the arena. */
struct node_state {
    struct tern_coll_shared world, shared;
    struct tern_active_sets active_sets;
    struct tern_coll_entry table[]; /* of the world, if it is multinode */
};

static TERN_PE_LOCAL struct tern_coll world_coll, world_part_coll, shared_coll;

static size_t node_state_bytes(void)
{
    return sizeof(struct node_state) +
           (tern_team_world.multinode ? tern_coll_table_bytes(tern_team_world.pes.size) : 0);
}

static void open_world(struct node_state *state)
{
    struct tern_team *world = &tern_team_world;

    world->coll = &world_coll;
    if (world->multinode) {
        world->multinode->part->coll = &world_part_coll;
        world_coll.table = state->table;
    }
    tern_team_local(world)->coll->shared = &state->world;
}

int tern_coll_start(void)
{
    struct tern_team *node = &tern_team_shared;
    struct node_state *state;
    uint64_t offset = 0;

    if (tern_team_world.coll)
        return 0; /* initialized again: the teams' rounds and broadcasts continue */
    if (node->me == 0) {
        offset = tern_pool_alloc(tern_job.pool, tern_job.pool_bytes, node_state_bytes());
        if (!offset)
            tern_error("no shared memory for the collectives' state");
    }
    tern_round_enter(node, &offset, sizeof offset, "shmem_init");
    memcpy(&offset, tern_round_payload(node, 0), sizeof offset);
    if (!offset)
        return -ENOMEM;
    state = tern_pool_at(tern_job.pool, tern_job.pool_bytes, offset, node_state_bytes());
    open_world(state);
    shared_coll.shared = &state->shared;
    tern_team_shared.coll = &shared_coll;
    tern_active_set_start(&state->active_sets);
    return 0;
}

static void destroy_leftover(void *team, void *unused)
{
    tern_split_destroy(team);
}

void tern_coll_stop(void)
{
    tern_handle_each(&tern_team_handles, destroy_leftover, NULL);
    tern_active_set_stop();
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Allocates and frees a team's private and shared memory. */
#include "coll/team_block.h"

#include <stdlib.h>

#include "coll/state.h"
#include "core/job.h"

/*
 * The block of the members on one node. The barrier's memory follows, whose length depends on their
 * number, and then the table of a multinode team.
 */
struct block {
    struct tern_coll_shared coll;
    uint64_t left TERN_ALIGNED(TERN_LINE); /* members that have left */
};

/* A membership's private memory, in one allocation; `part` is for a multinode team. */
struct member {
    struct tern_team team;
    struct tern_coll coll;
    struct tern_team part;
    struct tern_coll part_coll;
};

static size_t block_bytes(const struct tern_team *team)
{
    int local = team->multinode ? team->multinode->part->pes.size : team->pes.size;

    return sizeof(struct block) + tern_sync_shared_bytes(local) +
           (team->multinode ? tern_coll_table_bytes(team->pes.size) : 0);
}

static struct block *block_at(const struct tern_team *team, uint64_t offset)
{
    return tern_pool_at(tern_job.pool, tern_job.pool_bytes, offset, block_bytes(team));
}

struct tern_team *tern_team_block_new_team(const struct tern_pe_range *pes, int me)
{
    struct member *m = calloc(1, sizeof *m);

    if (!m)
        return NULL;
    m->team.pes = *pes;
    m->team.me = me;
    m->team.coll = &m->coll;
    m->part.coll = &m->part_coll;
    if (tern_multinode_is_needed(pes) && tern_multinode_open(&m->team, &m->part) != 0) {
        free(m);
        return NULL;
    }
    return &m->team;
}

void tern_team_block_set_key(struct tern_team *team, const struct tern_message_key *key)
{
    if (team->multinode)
        team->multinode->key = *key;
}

uint64_t tern_team_block_alloc(const struct tern_team *team)
{
    return tern_pool_alloc(tern_job.pool, tern_job.pool_bytes, block_bytes(team));
}

void tern_team_block_free(const struct tern_team *team, uint64_t block)
{
    uint64_t stream = tern_load_relaxed(&block_at(team, block)->coll.stream);

    if (stream > TERN_COLL_NO_STREAM)
        tern_pool_free(tern_job.pool, tern_job.pool_bytes, stream, TERN_COLL_STREAM_BYTES);
    tern_pool_free(tern_job.pool, tern_job.pool_bytes, block, block_bytes(team));
}

void tern_team_block_attach(struct tern_team *team, uint64_t block)
{
    struct block *b = block_at(team, block);
    struct tern_sync_shared *sync = (struct tern_sync_shared *)(b + 1);
    struct tern_team *local = tern_team_local(team);

    team->block = block;
    local->coll->shared = &b->coll;
    if (team->multinode)
        team->coll->table = (void *)((char *)sync + tern_sync_shared_bytes(local->pes.size));
    tern_sync_init(&local->sync, sync, local->me, local->pes.size, tern_job.cores, &team->pes);
}

bool tern_team_block_detach(struct tern_team *team)
{
    uint64_t local = (uint64_t)tern_team_local(team)->pes.size;

    /*
     * Release and acquire: all members' accesses to the block come before the last member frees it.
     */
    return tern_fetch_add(&block_at(team, team->block)->left, 1) + 1 == local;
}

void tern_team_block_free_team(struct tern_team *team)
{
    tern_multinode_close(team);
    free(team); /* the start of struct member */
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Joins and leaves the shared block of a team; the last member to leave is told so. */
#include "coll/team_block.h"

#include <stdlib.h>

#include "coll/state.h"
#include "core/job.h"

/*
 * The block of a node's members; the barrier's part follows, since its length depends on their
 * number, and the table of a team that spans nodes.
 */
struct block {
    struct tern_coll_shared coll;
    uint64_t left TERN_ALIGNED(TERN_LINE); /* members that have left */
};

/* Both halves of a membership in one allocation; part is that of a team that spans nodes. */
struct member {
    struct tern_team team;
    struct tern_coll coll;
    struct tern_team part;
    struct tern_coll part_coll;
};

static struct block *block_at(uint64_t offset)
{
    return tern_pool_at(tern_job.pool, offset);
}

static size_t block_bytes(const struct tern_team *team)
{
    int near = team->span ? team->span->part->pes.size : team->pes.size;

    return sizeof(struct block) + tern_sync_shared_bytes(near) +
           (team->span ? tern_coll_table_bytes(team->pes.size) : 0);
}

struct tern_team *tern_member_new(const struct tern_pe_range *pes, int me)
{
    struct member *m = calloc(1, sizeof *m);

    if (!m)
        return NULL;
    m->team.pes = *pes;
    m->team.me = me;
    m->team.coll = &m->coll;
    m->part.coll = &m->part_coll;
    if (tern_span_is_needed(pes) && tern_span_open(&m->team, &m->part) != 0) {
        free(m);
        return NULL;
    }
    return &m->team;
}

void tern_member_set_key(struct tern_team *team, const struct tern_mail_key *key)
{
    if (team->span)
        team->span->key = *key;
}

uint64_t tern_member_alloc_block(const struct tern_team *team)
{
    return tern_pool_alloc(tern_job.pool, tern_job.pool_bytes, block_bytes(team));
}

void tern_member_free_block(const struct tern_team *team, uint64_t block)
{
    tern_pool_free(tern_job.pool, block, block_bytes(team));
}

void tern_member_join(struct tern_team *team, uint64_t block)
{
    struct block *b = block_at(block);
    struct tern_sync_shared *sync = (struct tern_sync_shared *)(b + 1);
    struct tern_team *near = tern_team_near(team);

    team->block = block;
    near->coll->shared = &b->coll;
    if (team->span)
        team->coll->table = (void *)((char *)sync + tern_sync_shared_bytes(near->pes.size));
    tern_sync_init(&near->sync, sync, near->me, near->pes.size, tern_job.cores, &team->pes);
}

bool tern_member_leave(struct tern_team *team)
{
    uint64_t near = (uint64_t)tern_team_near(team)->pes.size;

    /* Release and acquire: what any member did with the block is over before the last one frees it.
     */
    return tern_fetch_add(&block_at(team->block)->left, 1) + 1 == near;
}

void tern_member_free(struct tern_team *team)
{
    tern_span_close(team);
    free(team); /* the first member of struct member */
}

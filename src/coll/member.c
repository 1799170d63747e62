/* SPDX-License-Identifier: BSD-3-Clause */
/* Joins and leaves the shared block of a team; the last member to leave is told so. */
#include "coll/member.h"

#include <stdlib.h>

#include "coll/state.h"
#include "core/job.h"

/* The block; the barrier's part follows, since its length depends on the number of members. */
struct block {
    struct tern_coll_shared coll;
    uint64_t left TERN_ALIGNED(TERN_LINE); /* members that have left */
};

/* Both halves of a membership in one allocation. */
struct member {
    struct tern_team team;
    struct tern_coll coll;
};

static struct block *block_at(uint64_t offset)
{
    return tern_pool_at(tern_job.pool, offset);
}

static size_t block_bytes(int n)
{
    return sizeof(struct block) + tern_sync_shared_bytes(n);
}

uint64_t tern_member_alloc_block(int n)
{
    return tern_pool_alloc(tern_job.pool, tern_job.pool_bytes, block_bytes(n));
}

void tern_member_free_block(uint64_t block, int n)
{
    tern_pool_free(tern_job.pool, block, block_bytes(n));
}

struct tern_team *tern_member_new(const struct tern_pe_range *pes, int me)
{
    struct member *m = calloc(1, sizeof *m);

    if (!m)
        return NULL;
    m->team.pes = *pes;
    m->team.me = me;
    m->team.coll = &m->coll;
    return &m->team;
}

void tern_member_join(struct tern_team *team, uint64_t block)
{
    struct block *b = block_at(block);

    team->block = block;
    team->coll->shared = &b->coll;
    tern_sync_init(&team->sync, (struct tern_sync_shared *)(b + 1), team->me, team->pes.size,
                   tern_job.cores, &team->pes);
}

bool tern_member_leave(struct tern_team *team)
{
    /* Release and acquire: what any member did with the block is over before the last one frees it.
     */
    return tern_fetch_add(&block_at(team->block)->left, 1) + 1 == (uint64_t)team->pes.size;
}

void tern_member_free(struct tern_team *team)
{
    free(team); /* the first member of struct member */
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Splits teams and destroys them, and starts the collectives of the predefined ones. */
#include "coll/split.h"

#include <errno.h>

#include "base/log.h"
#include "coll/active_set.h"
#include "coll/member.h"
#include "coll/round.h"
#include "core/ctx.h"
#include "core/job.h"

/*
 * A split is one round of the parent. Before it, each PE checks its arguments and gets all that it
 * needs to be a member, and the first member of a new team allocates the team's block; then all
 * tell whether they are ready and where the blocks are. Everyone draws the same conclusion from the
 * same votes: either all commit, which can't fail, or all give back what they have prepared. The
 * blocks were zeroed before the round, so a new team can be used at once, without another one.
 */
struct vote {
    int32_t ready;
    int32_t args[3];    /* on which all must agree */
    uint64_t blocks[2]; /* of the new teams of which this PE is the first member */
};

/* One of the teams that a split makes, as it concerns this PE. */
struct newborn {
    struct tern_pe_range pes; /* in the parent's numbers */
    int me;                   /* this PE's number in it, or -1 */
    struct tern_team *team;
    uint64_t block; /* if this PE is the first member */
};

static struct tern_pe_range in_world(const struct tern_pe_range *parent,
                                     const struct tern_pe_range *pes)
{
    return (struct tern_pe_range){
        .start = tern_pe_range_world(parent, pes->start),
        .stride = pes->size > 1 ? pes->stride * parent->stride : 1,
        .size = pes->size,
    };
}

/* False if there is no memory. */
static bool prepare(struct newborn *b, const struct tern_team *parent, int num_contexts)
{
    struct tern_pe_range world;

    b->me = tern_pe_range_find(&b->pes, parent->me);
    if (b->me < 0)
        return true;
    world = in_world(&parent->pes, &b->pes);
    b->team = tern_member_new(&world, b->me);
    if (!b->team)
        return false;
    b->team->num_contexts = num_contexts;
    b->team->handle = tern_handle_add(&tern_team_handles, b->team);
    if (b->me == 0)
        b->block = tern_member_alloc_block(world.size);
    return b->team->handle && (b->me > 0 || b->block);
}

static void abandon(struct newborn *b)
{
    if (b->block)
        tern_member_free_block(b->block, b->pes.size);
    if (b->team && b->team->handle)
        tern_handle_remove(&tern_team_handles, b->team->handle);
    if (b->team)
        tern_member_free(b->team);
}

/* The vote of the new team's first member says at `which` where the block is. */
static uintptr_t commit(struct newborn *b, const struct tern_team *parent, int which)
{
    const struct vote *vote;

    if (b->me < 0)
        return TERN_TEAM_INVALID;
    vote = tern_round_payload(parent, b->pes.start);
    tern_member_join(b->team, vote->blocks[which]);
    return b->team->handle;
}

static bool unanimous(const struct tern_team *parent)
{
    const struct vote *first = tern_round_payload(parent, 0);

    for (int i = 0; i < parent->pes.size; i++) {
        const struct vote *vote = tern_round_payload(parent, i);

        if (!vote->ready || memcmp(vote->args, first->args, sizeof vote->args) != 0)
            return false;
    }
    return true;
}

static void judge_for_all(struct tern_team *parent, const void *unused)
{
    *(bool *)tern_round_result(parent) = unanimous(parent);
}

static bool agree(struct tern_team *parent, const struct vote *mine, const char *routine)
{
    tern_round_enter_finish(parent, mine, sizeof *mine, judge_for_all, NULL, routine);
    if (tern_round_is_finished(parent))
        return *(const bool *)tern_round_result(parent);
    return unanimous(parent);
}

static bool valid_triplet(int parent_size, int start, int stride, int size)
{
    int64_t last = start + ((int64_t)size - 1) * stride;

    if (size < 1 || start < 0 || start >= parent_size || last < 0 || last >= parent_size)
        return false;
    return stride != 0 || size == 1;
}

int tern_split_strided(struct tern_team *parent, int start, int stride, int size, int num_contexts,
                       uintptr_t *handle, const char *routine)
{
    struct newborn b = {.pes = {start, size == 1 ? 1 : stride, size}};
    struct vote vote = {.args = {start, stride, size}};

    *handle = TERN_TEAM_INVALID;
    vote.ready =
        valid_triplet(parent->pes.size, start, stride, size) && prepare(&b, parent, num_contexts);
    vote.blocks[0] = b.block;
    if (!agree(parent, &vote, routine)) {
        abandon(&b);
        return -1;
    }
    *handle = commit(&b, parent, 0);
    return 0;
}

int tern_split_2d(struct tern_team *parent, int xrange, int x_contexts, uintptr_t *x_handle,
                  int y_contexts, uintptr_t *y_handle, const char *routine)
{
    struct newborn row = {0}, column = {0};
    struct vote vote = {.args = {xrange}};
    int n = parent->pes.size;

    *x_handle = *y_handle = TERN_TEAM_INVALID;
    if (xrange > n)
        xrange = n;
    if (xrange > 0) {
        int x = parent->me % xrange, start = parent->me - x;

        row.pes = (struct tern_pe_range){start, 1, xrange < n - start ? xrange : n - start};
        column.pes = (struct tern_pe_range){x, xrange, (n - x + xrange - 1) / xrange};
        vote.ready = prepare(&row, parent, x_contexts) && prepare(&column, parent, y_contexts);
    }
    vote.blocks[0] = row.block;
    vote.blocks[1] = column.block;
    if (!agree(parent, &vote, routine)) {
        abandon(&row);
        abandon(&column);
        return -1;
    }
    *x_handle = commit(&row, parent, 0);
    *y_handle = commit(&column, parent, 1);
    return 0;
}

void tern_split_destroy(struct tern_team *team)
{
    tern_ctx_destroy_of_team(team);
    tern_handle_remove(&tern_team_handles, team->handle);
    if (tern_member_leave(team))
        tern_member_free_block(team->block, team->pes.size);
    tern_member_free(team);
}

/* What the PEs of a node share for the predefined teams; lives as long as the arena. */
struct node_state {
    struct tern_coll_shared world, shared;
    struct tern_active_sets active_sets;
};

static TERN_PE_LOCAL struct tern_coll world_coll, shared_coll;

int tern_split_start(void)
{
    struct tern_team *node = &tern_team_shared;
    struct node_state *state;
    uint64_t place = 0;

    if (tern_team_world.coll)
        return 0; /* initialized again: like the team's rounds, its broadcasts just go on */
    if (node->me == 0) {
        place = tern_pool_alloc(tern_job.pool, tern_job.pool_bytes, sizeof *state);
        if (!place)
            tern_error("no shared memory for the collectives' state");
    }
    tern_round_enter(node, &place, sizeof place, "shmem_init");
    memcpy(&place, tern_round_payload(node, 0), sizeof place);
    if (!place)
        return -ENOMEM;
    state = tern_pool_at(tern_job.pool, place);
    world_coll.shared = &state->world;
    shared_coll.shared = &state->shared;
    tern_team_world.coll = &world_coll;
    tern_team_shared.coll = &shared_coll;
    tern_active_set_start(&state->active_sets);
    return 0;
}

static void destroy_leftover(void *team, void *unused)
{
    tern_split_destroy(team);
}

void tern_split_stop(void)
{
    tern_handle_each(&tern_team_handles, destroy_leftover, NULL);
    tern_active_set_stop();
}

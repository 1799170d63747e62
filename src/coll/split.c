/* SPDX-License-Identifier: BSD-3-Clause */
/* Splits teams and destroys them. */
#include "coll/split.h"

#include <stdlib.h>

#include "base/limit.h"
#include "coll/multinode_table.h"
#include "coll/round.h"
#include "coll/team_block.h"
#include "core/ctx.h"
#include "core/dedup.h"
#include "core/job.h"

/*
 * A split is one round of the parent. Before it, each PE checks its arguments and allocates what a
 * member needs; a new team's first member on each node also allocates the block of the members
 * there. In the round, all PEs publish whether they are ready, and the offsets of the blocks. All
 * draw the same conclusion from the same votes: either all commit, which can't fail, or all free
 * what they have prepared. The blocks were zeroed before the round, so a new team can be used at
 * once, without another round.
 *
 * Blocks concern one node only. Between nodes, leaders exchange the verdict and a number for the
 * split, which becomes part of the new teams' keys.
 */
struct verdict {
    int32_t ready;
    int32_t args[3];    /* must be equal on all members */
    int32_t by, number; /* the parent's first member, and its number for this split */
};

struct vote {
    struct verdict verdict;
    uint64_t blocks[2]; /* of the new teams of which this PE is the first member on its node */
};

/* A team that a split makes, as this PE sees it. */
struct newborn {
    struct tern_pe_range pes; /* in the parent's numbers */
    int me;                   /* this PE's number in it, or -1 */
    struct tern_team *team;
    uint64_t block; /* 0 unless this PE is its first member on this node */
};

/* The number of splits of teams of which this PE was the first member. */
static TERN_PE_LOCAL uint32_t splits;

static TERN_COLD bool lack_memory(const char *routine)
{
    if (tern_dedup_warns_first(TERN_WARN_NO_MEMORY))
        tern_limit_warn(routine, "a team", sizeof(struct tern_team));
    return false;
}

/* Allocates what this PE needs as a member. False if there is no memory. */
static bool prepare(struct newborn *b, const struct tern_team *parent, int num_contexts,
                    const char *routine)
{
    struct tern_pe_range world;
    bool first;

    b->me = tern_pe_range_find(&b->pes, parent->me);
    if (b->me < 0)
        return true;
    world = tern_pe_range_of(&parent->pes, &b->pes);
    b->team = tern_team_block_new_team(&world, b->me);
    if (!b->team)
        return lack_memory(routine);
    b->team->num_contexts = num_contexts;
    b->team->handle = tern_handle_add(&tern_team_handles, b->team);
    if (!b->team->handle)
        return lack_memory(routine);
    first = tern_team_local(b->team)->me == 0;
    if (first)
        b->block = tern_team_block_alloc(b->team);
    return !first || b->block;
}

static void abandon(struct newborn *b)
{
    if (b->block)
        tern_team_block_free(b->team, b->block);
    if (b->team && b->team->handle)
        tern_handle_remove(&tern_team_handles, b->team->handle);
    if (b->team)
        tern_team_block_free_team(b->team);
}

/*
 * blocks[which] in the vote of the new team's first member on this node is the offset of the block.
 * A split makes no two teams with equal start and `which`.
 */
static uintptr_t commit(struct newborn *b, struct tern_team *parent, int which,
                        const struct verdict *verdict)
{
    const struct tern_team *local = tern_team_local(parent);
    struct tern_message_key key = {.kind = TERN_MULTINODE_SPLIT,
                                   .a = verdict->by,
                                   .b = verdict->number,
                                   .c = which,
                                   .d = (uint64_t)b->pes.start};
    const struct vote *vote;
    int first;

    if (b->me < 0)
        return TERN_TEAM_INVALID;
    first = tern_pe_range_find(&local->pes, tern_team_local(b->team)->pes.start);
    vote = tern_round_payload(local, first);
    tern_team_block_set_key(b->team, &key);
    tern_team_block_attach(b->team, vote->blocks[which]);
    return b->team->handle;
}

/*
 * The combination is not ready if one of both is not, or if their arguments differ. Its number is
 * that of the first one.
 */
static void combine(void *out, const void *a, const void *b, const void *unused)
{
    const struct verdict *x = a, *y = b;
    struct verdict both = *x;

    both.ready = x->ready && y->ready && memcmp(x->args, y->args, sizeof x->args) == 0;
    *(struct verdict *)out = both;
}

/* The verdict of the members on this node. */
static struct verdict verdict_of(const struct tern_team *local)
{
    struct verdict verdict = ((const struct vote *)tern_round_payload(local, 0))->verdict;

    for (int i = 1; i < local->pes.size; i++)
        combine(&verdict, &verdict, tern_round_payload(local, i), NULL);
    return verdict;
}

static void judge_for_all(struct tern_team *local, const void *unused)
{
    *(struct verdict *)tern_round_result(local) = verdict_of(local);
}

struct judgement {
    struct tern_team *parent;
    const char *routine;
};

static void judge_between_nodes(void *arg)
{
    const struct judgement *j = arg;
    struct tern_team *local = tern_team_local(j->parent);
    struct verdict verdict = verdict_of(local);

    tern_multinode_allreduce(j->parent, &verdict, sizeof verdict, combine, NULL, j->routine);
    *(struct verdict *)tern_round_result(local) = verdict;
}

static struct verdict agree(struct tern_team *parent, struct vote *mine, const char *routine)
{
    struct judgement j = {parent, routine};

    if (!parent->multinode) {
        tern_round_enter_finish(parent, mine, sizeof *mine, judge_for_all, NULL, routine);
        if (!tern_round_is_finished(parent))
            return verdict_of(parent);
    } else {
        if (parent->me == 0) {
            mine->verdict.by = tern_job.pe;
            mine->verdict.number = (int32_t)__atomic_fetch_add(&splits, 1, __ATOMIC_RELAXED);
        }
        tern_multinode_round(parent, mine, sizeof *mine, judge_between_nodes, &j, routine);
    }
    return *(const struct verdict *)tern_round_result(tern_team_local(parent));
}

static bool valid_triplet(int parent_size, int start, int stride, int size)
{
    int64_t last = start + ((int64_t)size - 1) * stride;

    if (size < 1 || start < 0 || start >= parent_size || last < 0 || last >= parent_size)
        return false;
    return stride != 0 || size == 1;
}

/* Creates the team if all of the parent's members are ready, else on none of them. */
static int found(struct newborn *b, struct vote *vote, struct tern_team *parent, uintptr_t *handle,
                 const char *routine)
{
    struct verdict verdict;

    vote->blocks[0] = b->block;
    verdict = agree(parent, vote, routine);
    if (!verdict.ready) {
        abandon(b);
        return -1;
    }
    *handle = commit(b, parent, 0, &verdict);
    return 0;
}

int tern_split_strided(struct tern_team *parent, int start, int stride, int size, int num_contexts,
                       uintptr_t *handle, const char *routine)
{
    struct newborn b = {.pes = {start, size == 1 ? 1 : stride, size}};
    struct vote vote = {.verdict.args = {start, stride, size}};

    *handle = TERN_TEAM_INVALID;
    vote.verdict.ready = valid_triplet(parent->pes.size, start, stride, size) &&
                         prepare(&b, parent, num_contexts, routine);
    return found(&b, &vote, parent, handle, routine);
}

int tern_split_2d(struct tern_team *parent, int xrange, int x_contexts, uintptr_t *x_handle,
                  int y_contexts, uintptr_t *y_handle, const char *routine)
{
    struct newborn row = {0}, column = {0};
    struct vote vote = {.verdict.args = {xrange}};
    struct verdict verdict;
    int n = parent->pes.size;

    *x_handle = *y_handle = TERN_TEAM_INVALID;
    if (xrange > n)
        xrange = n;
    if (xrange > 0) {
        int x = parent->me % xrange, start = parent->me - x;

        row.pes = (struct tern_pe_range){start, 1, xrange < n - start ? xrange : n - start};
        column.pes = (struct tern_pe_range){x, xrange, (n - x + xrange - 1) / xrange};
        vote.verdict.ready = prepare(&row, parent, x_contexts, routine) &&
                             prepare(&column, parent, y_contexts, routine);
    }
    vote.blocks[0] = row.block;
    vote.blocks[1] = column.block;
    verdict = agree(parent, &vote, routine);
    if (!verdict.ready) {
        abandon(&row);
        abandon(&column);
        return -1;
    }
    *x_handle = commit(&row, parent, 0, &verdict);
    *y_handle = commit(&column, parent, 1, &verdict);
    return 0;
}

/* ---- colours ---- */

struct colored {
    int color, key, member;
};

_Static_assert(offsetof(struct colored, member) <= sizeof(struct tern_coll_entry),
               "colour and key travel in an entry");

static int by_key(const void *a, const void *b)
{
    const struct colored *x = a, *y = b;

    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return x->member - y->member;
}

/* Gets the colours and keys of all members of the parent, in their order. */
static struct colored *gather_colors(struct tern_team *parent, int color, int key,
                                     const char *routine)
{
    struct colored mine = {color, key, 0};
    struct tern_coll_entry entry = {0};
    size_t n = (size_t)parent->pes.size, bytes = offsetof(struct colored, member);
    struct colored *all = tern_multinode_scratch(n * sizeof *all, routine);

    memcpy(&entry, &mine, bytes);
    if (parent->multinode)
        tern_multinode_table_exchange(parent, &entry, routine);
    else
        tern_round_enter(parent, &entry, sizeof entry, routine);
    for (int i = 0; i < parent->pes.size; i++) {
        memcpy(&all[i],
               parent->multinode ? tern_multinode_table(parent, i) : tern_round_payload(parent, i),
               bytes);
        all[i].member = i;
    }
    return all;
}

/*
 * The members of that colour as a range in the parent's numbers. False if they are not evenly
 * spaced.
 */
static bool range_of_color(struct tern_pe_range *range, struct colored *all, int n, int color)
{
    int size = 0;

    for (int i = 0; i < n; i++)
        if (all[i].color == color)
            all[size++] = all[i];
    qsort(all, (size_t)size, sizeof *all, by_key);
    *range = (struct tern_pe_range){all[0].member, 1, size};
    if (size > 1)
        range->stride = all[1].member - all[0].member;
    for (int i = 0; i < size; i++)
        if (all[i].member != tern_pe_range_world(range, i))
            return false;
    return true;
}

int tern_split_colored(struct tern_team *parent, int color, int key, uintptr_t *handle,
                       const char *routine)
{
    struct colored *all = gather_colors(parent, color, key, routine);
    struct newborn b = {0};
    struct vote vote = {0};

    *handle = TERN_TEAM_INVALID;
    vote.verdict.ready =
        range_of_color(&b.pes, all, parent->pes.size, color) && prepare(&b, parent, 0, routine);
    free(all);
    return found(&b, &vote, parent, handle, routine);
}

void tern_split_destroy(struct tern_team *team)
{
    tern_ctx_destroy_of_team(team);
    tern_handle_remove(&tern_team_handles, team->handle);
    if (tern_team_block_detach(team))
        tern_team_block_free(team, team->block);
    tern_team_block_free_team(team);
}

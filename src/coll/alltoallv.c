/* SPDX-License-Identifier: BSD-3-Clause */
/* Alltoall of blocks with lengths and offsets of their own: each member gets its blocks. */
#include <stdlib.h>

#include "base/limit.h"
#include "base/log.h"
#include "coll/coll.h"
#include "coll/round.h"
#include "coll/symmetric.h"
#include "core/ctx.h"
#include "core/order.h"
#include "core/rma.h"

/*
 * Members may read each other's sources between two barriers. A member first gets the offsets and
 * lengths of its blocks from all members at once, then the blocks.
 */
struct block {
    size_t from, bytes;
};

/*
 * Starts a get of this member's element of another member's array; quiet of the default context
 * completes it.
 */
static void get_own(size_t *to, const size_t *array, const struct tern_team *team, int member,
                    const char *routine)
{
    tern_rma_get(to, &array[team->me], 1, sizeof *to, true, tern_pe_range_world(&team->pes, member),
                 routine, TERN_CTX_DEFAULT);
}

static void find_blocks(struct block *block, const struct tern_team *team,
                        const struct tern_blocks *blocks, const char *routine)
{
    for (int k = 0, j = team->me; k < team->pes.size; k++, j = tern_round_next(team, j)) {
        get_own(&block[j].from, blocks->s_offsets, team, j, routine);
        get_own(&block[j].bytes, blocks->s_sizes, team, j, routine);
    }
    tern_order_quiet();
    for (int j = 0; blocks->t_sizes && j < team->pes.size; j++)
        blocks->t_sizes[j] = block[j].bytes;
}

/* Computes the offsets of blocks that follow each other in dest; returns their total length. */
static size_t pack(size_t *offsets, const struct block *block, int n)
{
    size_t end = 0;

    for (int j = 0; j < n; j++) {
        offsets[j] = end;
        if (__builtin_add_overflow(end, block[j].bytes, &end))
            end = SIZE_MAX; /* no memory is that long, so the check of the room fails */
    }
    return end;
}

static void get_blocks(char *dest, const char *source, const struct block *block,
                       const size_t *offsets, const struct tern_team *team, const char *routine)
{
    for (int k = 0, j = team->me; k < team->pes.size; k++, j = tern_round_next(team, j))
        if (block[j].bytes)
            tern_rma_get(dest + offsets[j], source + block[j].from, block[j].bytes, 1, true,
                         tern_pe_range_world(&team->pes, j), routine, TERN_CTX_DEFAULT);
    tern_order_quiet();
}

size_t tern_coll_alltoallv(struct tern_team *team, void *dest, const void *source,
                           const struct tern_blocks *blocks, const char *routine)
{
    size_t n = (size_t)team->pes.size, all;
    struct block *block = calloc(n, sizeof *block);
    size_t *packed = calloc(n, sizeof *packed);

    if (!block || !packed)
        tern_limit_no_memory(routine, "the places of blocks", n * sizeof *block);
    tern_symmetric_check(blocks->s_offsets, n * sizeof(size_t), "s_offsets", routine);
    tern_symmetric_check(blocks->s_sizes, n * sizeof(size_t), "s_sizes", routine);
    tern_coll_sync(team, routine);
    find_blocks(block, team, blocks, routine);
    all = pack(packed, block, team->pes.size);
    if (!blocks->t_offsets && all > blocks->room)
        tern_fatal(routine, "target_len is %zu, but %zu bytes are to come", blocks->room, all);
    get_blocks(dest, source, block, blocks->t_offsets ? blocks->t_offsets : packed, team, routine);
    tern_coll_sync(team, routine);
    free(packed);
    free(block);
    return all;
}

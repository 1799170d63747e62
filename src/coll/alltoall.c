/* SPDX-License-Identifier: BSD-3-Clause */
/* Alltoall and alltoalls: block l of member k becomes block k of member l. */
#include "base/log.h"
#include "coll/coll.h"
#include "coll/multinode.h"
#include "coll/pull.h"
#include "coll/round.h"
#include "coll/symmetric.h"
#include "core/rma.h"

/*
 *   small   All blocks of a member fit into its cell: one round, then each copies its blocks.
 *   large   Each member copies its block from each source into its own dest, see pull.h. Moved per
 *           PE: n blocks, once.
 */
static void alltoall_small(struct tern_team *team, char *dest, const void *source, size_t bytes,
                           const char *routine)
{
    size_t mine = (size_t)team->me * bytes;

    tern_round_enter(team, source, (size_t)team->pes.size * bytes, routine);
    for (int i = 0; i < team->pes.size; i++)
        tern_copy(dest + (size_t)i * bytes, (const char *)tern_round_payload(team, i) + mine,
                  bytes);
}

static void copy_block(const struct tern_team *team, const struct tern_pull *pull, int from, int to)
{
    tern_copy(tern_pull_dest(team, pull, to) + (size_t)from * pull->block,
              tern_pull_source(team, pull, from) + (size_t)to * pull->block, pull->block);
}

static void alltoall_large(struct tern_team *team, void *dest, const void *source, size_t bytes,
                           const char *routine)
{
    size_t all = (size_t)team->pes.size * bytes;

    tern_pull(team, &(struct tern_pull){
                        .source = source,
                        .dest = dest,
                        .source_bytes = all,
                        .dest_bytes = all,
                        .bytes = all,
                        .copy = copy_block,
                        .block = bytes,
                        .routine = routine,
                    });
}

void tern_coll_alltoall(struct tern_team *team, void *dest, const void *source, size_t bytes,
                        const char *routine)
{
    size_t all;

    if (__builtin_mul_overflow(bytes, (size_t)team->pes.size, &all))
        all = SIZE_MAX; /* no segment is that long, so the check fails */
    tern_symmetric_check(source, all, "source", routine);
    tern_symmetric_check(dest, all, "dest", routine);
    if (!all)
        tern_coll_sync(team, routine);
    else if (team->multinode)
        tern_multinode_alltoalls(team, dest, source, 1, 1, 1, bytes, routine);
    else if (tern_sync_in_cells(all))
        alltoall_small(team, dest, source, bytes, routine);
    else
        alltoall_large(team, dest, source, bytes, routine);
}

/* Ends the program unless n elements of the array, `stride` elements apart, are symmetric. */
static void check_strided(const void *array, ptrdiff_t stride, size_t n, size_t size,
                          const char *argument, const char *stride_argument, const char *routine)
{
    size_t span;

    if (stride < 1)
        tern_fatal(routine, "%s is %td: the stride of %s is at least 1 element", stride_argument,
                   stride, argument);
    if (__builtin_mul_overflow(n - 1, (size_t)stride, &span) ||
        __builtin_add_overflow(span, 1, &span) || __builtin_mul_overflow(span, size, &span))
        span = SIZE_MAX;
    tern_symmetric_check(array, span, argument, routine);
}

static void alltoalls_small(struct tern_team *team, char *dest, const char *source, size_t dst,
                            size_t sst, size_t nelems, size_t size, const char *routine)
{
    size_t all = (size_t)team->pes.size * nelems, mine = (size_t)team->me * nelems * size;
    unsigned char packed[TERN_SYNC_PAYLOAD];

    for (size_t i = 0; i < all; i++)
        tern_copy(packed + i * size, source + i * sst * size, size);
    tern_round_enter(team, packed, all * size, routine);
    for (int i = 0; i < team->pes.size; i++) {
        const char *block = (const char *)tern_round_payload(team, i) + mine;

        for (size_t k = 0; k < nelems; k++)
            tern_copy(dest + ((size_t)i * nelems + k) * dst * size, block + k * size, size);
    }
}

static void copy_strided(const struct tern_team *team, const struct tern_pull *pull, int from,
                         int to)
{
    size_t to_step = pull->dst * pull->size, from_step = pull->sst * pull->size;

    tern_rma_copy_elements(
        tern_pull_dest(team, pull, to) + (size_t)from * pull->block * to_step, to_step,
        tern_pull_source(team, pull, from) + (size_t)to * pull->block * from_step, from_step,
        pull->size, pull->block);
}

static void alltoalls_large(struct tern_team *team, void *dest, const void *source, size_t dst,
                            size_t sst, size_t nelems, size_t size, const char *routine)
{
    size_t all = (size_t)team->pes.size * nelems;

    tern_pull(team, &(struct tern_pull){
                        .source = source,
                        .dest = dest,
                        .source_bytes = ((all - 1) * sst + 1) * size,
                        .dest_bytes = ((all - 1) * dst + 1) * size,
                        .bytes = all * size,
                        .copy = copy_strided,
                        .block = nelems,
                        .dst = dst,
                        .sst = sst,
                        .size = size,
                        .routine = routine,
                    });
}

void tern_coll_alltoalls(struct tern_team *team, void *dest, const void *source, ptrdiff_t dst,
                         ptrdiff_t sst, size_t nelems, size_t size, const char *routine)
{
    size_t all, bytes;

    if (!nelems) {
        tern_coll_sync(team, routine);
        return;
    }
    if (__builtin_mul_overflow(nelems, (size_t)team->pes.size, &all))
        all = SIZE_MAX;
    check_strided(source, sst, all, size, "source", "sst", routine);
    check_strided(dest, dst, all, size, "dest", "dst", routine);
    bytes = all * size; /* both arrays have as many bytes, so the product has not overflowed */
    if (team->multinode)
        tern_multinode_alltoalls(team, dest, source, (size_t)dst, (size_t)sst, nelems, size,
                                 routine);
    else if (tern_sync_in_cells(bytes))
        alltoalls_small(team, dest, source, (size_t)dst, (size_t)sst, nelems, size, routine);
    else if (dst == 1 && sst == 1)
        alltoall_large(team, dest, source, nelems * size, routine);
    else
        alltoalls_large(team, dest, source, (size_t)dst, (size_t)sst, nelems, size, routine);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* What reductions and scans have in common: operands in cells, and slices of large arrays. */
#ifndef TERN_COLL_COMBINE_H
#define TERN_COLL_COMBINE_H

#include "coll/place.h"
#include "coll/reduction_kernel.h"
#include "coll/round.h"

/* One call, as far as it is the same for all members. */
struct tern_fold {
    const struct tern_coll_kernel *kernel;
    size_t n;
    size_t bytes; /* of n elements */
    const char *routine;
};

/* Checks that both arrays are symmetric. */
static inline struct tern_fold tern_fold_begin(const void *dest, const void *source, size_t n,
                                               const struct tern_coll_kernel *kernel,
                                               const char *routine)
{
    struct tern_fold fold = {.kernel = kernel, .n = n, .routine = routine};

    if (__builtin_mul_overflow(n, kernel->size, &fold.bytes))
        fold.bytes = SIZE_MAX; /* no segment is that long: the checks say so */
    tern_place_check(source, fold.bytes, "source", routine);
    tern_place_check(dest, fold.bytes, "dest", routine);
    return fold;
}

/* A small array in memory that is aligned for every type, which payloads are not. */
struct tern_fold_operand {
    unsigned char bytes[TERN_SYNC_PAYLOAD] TERN_ALIGNED(16);
};

static inline struct tern_fold_operand tern_fold_operand_of(const struct tern_team *team,
                                                            int member)
{
    struct tern_fold_operand o;

    memcpy(&o.bytes, tern_round_payload(team, member), sizeof o.bytes);
    return o;
}

/*
 * Of large arrays each member works out one slice, for all members: it reads that slice of every
 * source and writes that slice of every dest. Slices are disjoint, so a dest may be its source: who
 * overwrites a slice is the only one to read it. Every element is combined in the order of the
 * team, as in a small array; so the result has the same bits on all members, in arrays of any
 * length, and whoever comes first.
 */
struct tern_fold_slice {
    size_t start, end; /* in bytes */
};

/* What is worked on at a time: running results stay in the first-level cache. */
#define TERN_FOLD_CHUNK ((size_t)8192)

/* Slices are whole cache lines, or members would contend for those between them. */
static inline struct tern_fold_slice tern_fold_slice(int of, int which, size_t bytes)
{
    size_t lines = (bytes + TERN_LINE - 1) / TERN_LINE, n = (size_t)of;
    size_t length = (lines + n - 1) / n * TERN_LINE, start = (size_t)which * length;

    if (start >= bytes)
        return (struct tern_fold_slice){bytes, bytes};
    return (struct tern_fold_slice){start, length < bytes - start ? start + length : bytes};
}

static inline struct tern_fold_slice tern_fold_slice_of(const struct tern_team *team, size_t bytes)
{
    return tern_fold_slice(team->pes.size, team->me, bytes);
}

/* Both places are published on entering. */
struct tern_fold_share {
    uint64_t source, dest;
};

static inline void tern_fold_enter(struct tern_team *team, const struct tern_fold *fold, void *dest,
                                   const void *source)
{
    struct tern_fold_share share = {tern_route_place(source), tern_route_place(dest)};

    tern_round_enter(team, &share, sizeof share, fold->routine);
}

static inline const char *tern_fold_source(const struct tern_team *team,
                                           const struct tern_fold *fold, int member)
{
    const struct tern_fold_share *share = tern_round_payload(team, member);

    return tern_place_at(share->source, fold->bytes, tern_pe_range_world(&team->pes, member),
                         "source", fold->routine);
}

static inline char *tern_fold_dest(const struct tern_team *team, const struct tern_fold *fold,
                                   int member)
{
    const struct tern_fold_share *share = tern_round_payload(team, member);

    return tern_place_at(share->dest, fold->bytes, tern_pe_range_world(&team->pes, member), "dest",
                         fold->routine);
}

/* All operands of a round combined. */
struct tern_fold_operand tern_fold_operands(const struct tern_team *team,
                                            const struct tern_fold *fold);

/*
 * TERN_FOLD_CHUNK bytes at most, that far from the start of every source, combined into out; which
 * may be the same part of a source.
 */
void tern_fold_chunk(const struct tern_team *team, const struct tern_fold *fold, size_t at,
                     size_t bytes, void *out);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* The common part of reductions and scans: operands in cells, and slices of large arrays. */
#ifndef TERN_COLL_COMBINE_H
#define TERN_COLL_COMBINE_H

#include "coll/reduction_kernel.h"
#include "coll/round.h"
#include "coll/symmetric.h"

/* The arguments of a call that are the same on all members. */
struct tern_combine {
    const struct tern_reduction_kernel *kernel;
    size_t n;
    size_t bytes; /* of n elements */
    const char *routine;
};

/* Checks that both arrays are symmetric. */
static inline struct tern_combine tern_combine_begin(const void *dest, const void *source, size_t n,
                                                     const struct tern_reduction_kernel *kernel,
                                                     const char *routine)
{
    struct tern_combine call = {.kernel = kernel, .n = n, .routine = routine};

    if (__builtin_mul_overflow(n, kernel->size, &call.bytes))
        call.bytes = SIZE_MAX; /* no segment is that long, so the checks fail */
    tern_symmetric_check(source, call.bytes, "source", routine);
    tern_symmetric_check(dest, call.bytes, "dest", routine);
    return call;
}

/* A copy of a small array that is aligned for every type. Payloads are not. */
struct tern_combine_operand {
    unsigned char bytes[TERN_SYNC_PAYLOAD] TERN_ALIGNED(16);
};

static inline struct tern_combine_operand tern_combine_operand_of(const struct tern_team *team,
                                                                  int member)
{
    struct tern_combine_operand o;

    memcpy(&o.bytes, tern_round_payload(team, member), sizeof o.bytes);
    return o;
}

/*
 * Each member computes one slice of a large array for all members: it reads that slice of every
 * source and writes that slice of every dest. Slices are disjoint, and only the member that
 * overwrites a slice reads it, so a dest may be its source. Elements are combined in the order of
 * the team, as in small arrays. The result therefore has the same bits on all members, for arrays
 * of any length and in every order of arrival.
 */
struct tern_combine_slice {
    size_t start, end; /* in bytes */
};

/* The bytes combined at a time: running results stay in the first-level cache. */
#define TERN_COMBINE_CHUNK ((size_t)8192)

/* Slices consist of whole cache lines: members would contend for a line that they share. */
static inline struct tern_combine_slice tern_combine_slice(int of, int which, size_t bytes)
{
    size_t lines = (bytes + TERN_LINE - 1) / TERN_LINE, n = (size_t)of;
    size_t length = (lines + n - 1) / n * TERN_LINE, start = (size_t)which * length;

    if (start >= bytes)
        return (struct tern_combine_slice){bytes, bytes};
    return (struct tern_combine_slice){start, length < bytes - start ? start + length : bytes};
}

static inline struct tern_combine_slice tern_combine_slice_of(const struct tern_team *team,
                                                              size_t bytes)
{
    return tern_combine_slice(team->pes.size, team->me, bytes);
}

/* The symmetric offsets that each member publishes when it enters. */
struct tern_combine_share {
    uint64_t source, dest;
};

static inline struct tern_combine_share tern_combine_share_of(const void *dest, const void *source)
{
    return (struct tern_combine_share){tern_route_symmetric_offset(source),
                                       tern_route_symmetric_offset(dest)};
}

static inline void tern_combine_enter(struct tern_team *team, const struct tern_combine *call,
                                      void *dest, const void *source)
{
    struct tern_combine_share share = tern_combine_share_of(dest, source);

    tern_round_enter(team, &share, sizeof share, call->routine);
}

static inline const char *tern_combine_source(const struct tern_team *team,
                                              const struct tern_combine *call, int member)
{
    const struct tern_combine_share *share = tern_round_payload(team, member);

    return tern_symmetric_peer_address(share->source, call->bytes,
                                       tern_pe_range_world(&team->pes, member), "source",
                                       call->routine);
}

static inline char *tern_combine_dest(const struct tern_team *team, const struct tern_combine *call,
                                      int member)
{
    const struct tern_combine_share *share = tern_round_payload(team, member);

    return tern_symmetric_peer_address(
        share->dest, call->bytes, tern_pe_range_world(&team->pes, member), "dest", call->routine);
}

/* Combines all operands of a round. */
struct tern_combine_operand tern_combine_operands(const struct tern_team *team,
                                                  const struct tern_combine *call);

/*
 * Combines `bytes` bytes, at most TERN_COMBINE_CHUNK, from offset `at` of every source into out,
 * which may be the same chunk of a source.
 */
void tern_combine_chunk(const struct tern_team *team, const struct tern_combine *call, size_t at,
                        size_t bytes, void *out);

#endif

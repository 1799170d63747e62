/* SPDX-License-Identifier: BSD-3-Clause */
/* Collectives in which each member copies blocks from the others' sources into its own dest. */
#ifndef TERN_COLL_PULL_H
#define TERN_COLL_PULL_H

#include "coll/symmetric.h"
#include "core/team.h"

/* What each member publishes: the symmetric offsets of its arrays. */
struct tern_pull_share {
    uint64_t source, dest;
};

struct tern_pull {
    const void *source;
    void *dest;
    size_t source_bytes, dest_bytes; /* of each member's arrays */
    size_t bytes;                    /* that each member copies */
    /* Copies what member `from` has for member `to`, which may be the same. */
    void (*copy)(const struct tern_team *team, const struct tern_pull *pull, int from, int to);
    size_t block, dst, sst, size; /* for copy() */
    const char *routine;
};

/*
 * Calls copy() for every pair of members of a team on one node. On return, this member's dest is
 * complete and its source may change. One of three ways, which all members choose alike:
 *
 *   meeting     Two rounds, with the copies between them. For members on cores of their own.
 *   finish      One round: the last member to arrive copies for all, while they wait. Where members
 *               take turns on cores, a second round takes longer than the copies of little data.
 *   arrival     One round, and a count of the readers of each source. A member copies from those
 *               that have arrived before it waits for the others, and leaves when all have copied
 *               from it, whatever else they still have to do. So a member waits less often.
 */
void tern_pull(struct tern_team *team, const struct tern_pull *pull);

/* For copy(): the arrays of a member. */
const char *tern_pull_source(const struct tern_team *team, const struct tern_pull *pull,
                             int member);
char *tern_pull_dest(const struct tern_team *team, const struct tern_pull *pull, int member);

#endif

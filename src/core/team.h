/* SPDX-License-Identifier: BSD-3-Clause */
/* What a team is on one PE. How teams come and go is the collectives' business: see coll/split.c.
 */
#ifndef TERN_CORE_TEAM_H
#define TERN_CORE_TEAM_H

#include <stdint.h>

#include "base/pe_range.h"
#include "core/handle.h"
#include "core/sync.h"

/* The handles' values in the public header. */
#define TERN_TEAM_INVALID ((uintptr_t)0)
#define TERN_TEAM_WORLD ((uintptr_t)1)
#define TERN_TEAM_SHARED ((uintptr_t)2)

struct tern_coll;
struct tern_multinode;

/*
 * The members of a team on one node share memory: sync, block and coll are about that. One that
 * spans nodes has a part on each, which is a team on one node, and uses that one's sync; block is
 * what this node's members share.
 */
struct tern_team {
    uintptr_t handle;
    struct tern_pe_range pes;
    int me; /* this PE's number in it */
    int num_contexts;
    struct tern_multinode *multinode; /* NULL if all members are on this node */
    struct tern_sync sync;
    uint64_t block;         /* the pool's offset of its shared memory, 0 for the predefined teams */
    struct tern_coll *coll; /* the collectives' own state; they make it and free it */
};

/* The two predefined teams; live between init and finalize. */
extern TERN_PE_LOCAL struct tern_team tern_team_world, tern_team_shared;

/* The teams that were split off. */
extern TERN_PE_LOCAL struct tern_handles tern_team_handles;

/* The team; ends the program if the handle names none that lives, or no job runs. */
struct tern_team *tern_team_get(uintptr_t handle, const char *routine);

#endif

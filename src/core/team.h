/* SPDX-License-Identifier: BSD-3-Clause */
/* A team's data on one PE. coll/split.c creates and destroys teams. */
#ifndef TERN_CORE_TEAM_H
#define TERN_CORE_TEAM_H

#include <stdint.h>

#include "base/pe_range.h"
#include "core/handle.h"
#include "core/sync.h"

/* Values of handles, as in the public header. */
#define TERN_TEAM_INVALID ((uintptr_t)0)
#define TERN_TEAM_WORLD ((uintptr_t)1)
#define TERN_TEAM_SHARED ((uintptr_t)2)

struct tern_coll;
struct tern_multinode;

/*
 * The members of a team on one node share memory, which sync, block and coll refer to. A multinode
 * team has a part on each node, which is a team on one node, and uses the part's sync; block is the
 * memory that this node's members share.
 */
struct tern_team {
    uintptr_t handle;
    struct tern_pe_range pes;
    int me; /* this PE's number in it */
    int num_contexts;
    struct tern_multinode *multinode; /* NULL if all members are on this node */
    struct tern_sync sync;
    uint64_t block;         /* the pool's offset of its shared memory, 0 for the predefined teams */
    struct tern_coll *coll; /* the collectives' own state; they create and free it */
};

/* The two predefined teams; they exist between init and finalize. */
extern TERN_PE_LOCAL struct tern_team tern_team_world, tern_team_shared;

/* Handles of the teams that the program has created. */
extern TERN_PE_LOCAL struct tern_handles tern_team_handles;

/* The team; ends the program if the handle is invalid or stale, or no job runs. */
struct tern_team *tern_team_get(uintptr_t handle, const char *routine);

#endif

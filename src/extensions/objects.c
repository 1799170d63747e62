/* SPDX-License-Identifier: BSD-3-Clause */
/* The predefined teams as objects, for libraries that look them up by name at run time. */
#include "core/team.h"
#include "extensions/export.h"

#undef SHMEM_TEAM_WORLD
#undef SHMEM_TEAM_SHARED
#undef SHMEMX_TEAM_NODE

/*
 * The headers define constants of these names, so programs that include them do not refer to these
 * objects.
 */
#pragma GCC visibility push(default)
extern const shmem_team_t SHMEM_TEAM_WORLD, SHMEM_TEAM_SHARED, SHMEMX_TEAM_NODE;
#pragma GCC visibility pop

const shmem_team_t SHMEM_TEAM_WORLD = SHMEMI_HANDLE(shmem_team_t, TERN_TEAM_WORLD);
const shmem_team_t SHMEM_TEAM_SHARED = SHMEMI_HANDLE(shmem_team_t, TERN_TEAM_SHARED);
const shmem_team_t SHMEMX_TEAM_NODE = SHMEMI_HANDLE(shmem_team_t, TERN_TEAM_SHARED);

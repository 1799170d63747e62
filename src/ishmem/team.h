/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ISHMEM_TEAM_WORLD and ISHMEM_TEAM_SHARED. They are teams of their own, not OpenSHMEM's: so a
 * collective call on a queue may run beside one of the program's calls on SHMEM_TEAM_WORLD.
 */
#ifndef TERN_ISHMEM_TEAM_H
#define TERN_ISHMEM_TEAM_H

#include <ishmem.h>
#include <shmem.h>

#include "base/compiler.h"

extern TERN_PE_LOCAL shmem_team_t tern_ishmem_world, tern_ishmem_shared;

/* To be called by all PEs, after the start of OpenSHMEM and before its end. */
void tern_ishmem_team_start(void);
void tern_ishmem_team_stop(void);

/*
 * Returns the team of a number that a split has returned. For a stale or invalid number, a handle
 * that no team has.
 */
shmem_team_t tern_ishmem_team_find(ishmem_team_t team);

#endif

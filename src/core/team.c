/* SPDX-License-Identifier: BSD-3-Clause */
/* The predefined teams, and the tables in which teams are found by their handles. */
#include "core/team.h"

#include "base/log.h"
#include "core/job.h"
#include "core/require.h"

TERN_PE_LOCAL struct tern_team tern_team_world, tern_team_shared;
TERN_PE_LOCAL struct tern_handles tern_team_handles = TERN_HANDLES_INIT;

static struct tern_team *find(uintptr_t handle)
{
    if (handle == TERN_TEAM_WORLD)
        return &tern_team_world;
    if (handle == TERN_TEAM_SHARED)
        return &tern_team_shared;
    return tern_handle_find(&tern_team_handles, handle);
}

struct tern_team *tern_team_get(uintptr_t handle, const char *routine)
{
    struct tern_team *team = find(handle);

    /* The child of a fork finds its parent's teams, but must not join in what they do. */
    if (tern_likely(team && tern_job_runs()))
        return team;
    tern_require_job(routine);
    tern_fatal(routine, handle == TERN_TEAM_INVALID
                            ? "team is SHMEM_TEAM_INVALID: is this PE a member?"
                            : "team is not a team: it was destroyed, or never created");
}

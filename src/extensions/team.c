/* SPDX-License-Identifier: BSD-3-Clause */
/* Teams under the names from before their standardization. */
#include "base/log.h"
#include "coll/split.h"
#include "extensions/export.h"

/* Creates the rows, then splits the rest again, into the columns of each plane and the depths. */
TERN_API(void, shmemx_team_split_3d)
(shmem_team_t parent_team, int xrange, int yrange, int zrange, shmem_team_t *xaxis_team,
 shmem_team_t *yaxis_team, shmem_team_t *zaxis_team)
{
    shmem_team_t rest = SHMEM_TEAM_INVALID;

    *yaxis_team = *zaxis_team = SHMEM_TEAM_INVALID;
    if (pshmem_team_split_2d(parent_team, xrange, NULL, 0, xaxis_team, NULL, 0, &rest) != 0)
        return;
    pshmem_team_split_2d(rest, yrange, NULL, 0, yaxis_team, NULL, 0, zaxis_team);
    pshmem_team_destroy(rest);
}

TERN_API(void, shmemx_team_split_color)
(shmem_team_t parent_team, int color, int key, shmem_team_t *new_team)
{
    struct tern_team *parent = tern_team_get((uintptr_t)parent_team, TERN_ROUTINE);
    uintptr_t handle;

    if (tern_split_colored(parent, color, key, &handle, TERN_ROUTINE) && parent->me == 0)
        tern_warn("%s: the PEs of one colour are not evenly spaced (or there is no memory): no "
                  "team was made",
                  TERN_ROUTINE);
    *new_team = (shmem_team_t)handle;
}

TERN_API(void, shmemx_team_destroy)(shmem_team_t *team)
{
    pshmem_team_destroy(*team);
    *team = SHMEM_TEAM_INVALID;
}

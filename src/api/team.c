/* SPDX-License-Identifier: BSD-3-Clause */
/* Team management (9.4). */
#include "core/team.h"

#include "api/check.h"
#include "api/export.h"
#include "base/log.h"
#include "coll/split.h"

TERN_API(int, shmem_team_my_pe)(shmem_team_t team)
{
    if (team == SHMEM_TEAM_INVALID)
        return -1;
    return tern_team_get((uintptr_t)team, TERN_ROUTINE)->me;
}

TERN_API(int, shmem_team_n_pes)(shmem_team_t team)
{
    if (team == SHMEM_TEAM_INVALID)
        return -1;
    return tern_team_get((uintptr_t)team, TERN_ROUTINE)->pes.size;
}

TERN_API(int, shmem_team_get_config)
(shmem_team_t team, long config_mask, shmem_team_config_t *config)
{
    const struct tern_team *t;

    require_job(TERN_ROUTINE);
    if (team == SHMEM_TEAM_INVALID)
        return -1;
    t = tern_team_get((uintptr_t)team, TERN_ROUTINE);
    if (config_mask & SHMEM_TEAM_NUM_CONTEXTS) {
        if (!config)
            tern_fatal(TERN_ROUTINE, "config is NULL, but config_mask selects fields of it");
        config->num_contexts = t->num_contexts;
    }
    return 0;
}

TERN_API(int, shmem_team_translate_pe)(shmem_team_t src_team, int src_pe, shmem_team_t dest_team)
{
    const struct tern_team *from, *to;

    if (src_team == SHMEM_TEAM_INVALID || dest_team == SHMEM_TEAM_INVALID)
        return -1;
    from = tern_team_get((uintptr_t)src_team, TERN_ROUTINE);
    to = tern_team_get((uintptr_t)dest_team, TERN_ROUTINE);
    if (src_pe < 0 || src_pe >= from->pes.size)
        return -1;
    return tern_pe_range_find(&to->pes, tern_pe_range_world(&from->pes, src_pe));
}

static int num_contexts(const shmem_team_config_t *config, long mask, const char *argument,
                        const char *routine)
{
    if (!(mask & SHMEM_TEAM_NUM_CONTEXTS))
        return 0;
    if (!config)
        tern_fatal(routine, "%s is NULL, but its mask selects fields of it", argument);
    return config->num_contexts;
}

TERN_API(int, shmem_team_split_strided)
(shmem_team_t parent_team, int start, int stride, int size, const shmem_team_config_t *config,
 long config_mask, shmem_team_t *new_team)
{
    uintptr_t handle = TERN_TEAM_INVALID;
    int r;

    *new_team = SHMEM_TEAM_INVALID;
    require_job(TERN_ROUTINE);
    if (parent_team == SHMEM_TEAM_INVALID)
        return -1;
    r = tern_split_strided(tern_team_get((uintptr_t)parent_team, TERN_ROUTINE), start, stride, size,
                           num_contexts(config, config_mask, "config", TERN_ROUTINE), &handle,
                           TERN_ROUTINE);
    *new_team = (shmem_team_t)handle;
    return r;
}

TERN_API(int, shmem_team_split_2d)
(shmem_team_t parent_team, int xrange, const shmem_team_config_t *xaxis_config, long xaxis_mask,
 shmem_team_t *xaxis_team, const shmem_team_config_t *yaxis_config, long yaxis_mask,
 shmem_team_t *yaxis_team)
{
    uintptr_t x = TERN_TEAM_INVALID, y = TERN_TEAM_INVALID;
    int r;

    *xaxis_team = *yaxis_team = SHMEM_TEAM_INVALID;
    require_job(TERN_ROUTINE);
    if (parent_team == SHMEM_TEAM_INVALID)
        return -1;
    r = tern_split_2d(tern_team_get((uintptr_t)parent_team, TERN_ROUTINE), xrange,
                      num_contexts(xaxis_config, xaxis_mask, "xaxis_config", TERN_ROUTINE), &x,
                      num_contexts(yaxis_config, yaxis_mask, "yaxis_config", TERN_ROUTINE), &y,
                      TERN_ROUTINE);
    *xaxis_team = (shmem_team_t)x;
    *yaxis_team = (shmem_team_t)y;
    return r;
}

TERN_API(void, shmem_team_destroy)(shmem_team_t team)
{
    require_job(TERN_ROUTINE);
    if (team == SHMEM_TEAM_INVALID)
        return;
    if (team == SHMEM_TEAM_WORLD || team == SHMEM_TEAM_SHARED)
        tern_fatal(TERN_ROUTINE, "a predefined team can't be destroyed");
    tern_split_destroy(tern_team_get((uintptr_t)team, TERN_ROUTINE));
}

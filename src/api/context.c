/* SPDX-License-Identifier: BSD-3-Clause */
/* Contexts (9.5) and sessions on them (9.9). */
#include <errno.h>

#include "api/check.h"
#include "api/export.h"
#include "base/limit.h"
#include "base/log.h"
#include "core/ctx.h"
#include "core/dedup.h"

static int create(struct tern_team *team, long options, shmem_ctx_t *ctx, const char *routine)
{
    uintptr_t handle = TERN_CTX_INVALID;
    int r = tern_ctx_create(team, options, &handle);

    if (r == -ENOMEM && tern_dedup_warns_first(TERN_WARN_NO_MEMORY))
        tern_limit_warn(routine, "a context", sizeof(struct tern_ctx));
    *ctx = (shmem_ctx_t)handle;
    return r;
}

TERN_API(int, shmem_ctx_create)(long options, shmem_ctx_t *ctx)
{
    return create(tern_team_get(TERN_TEAM_WORLD, TERN_ROUTINE), options, ctx, TERN_ROUTINE);
}

TERN_API(int, shmem_team_create_ctx)(shmem_team_t team, long options, shmem_ctx_t *ctx)
{
    *ctx = SHMEM_CTX_INVALID;
    require_job(TERN_ROUTINE);
    if (team == SHMEM_TEAM_INVALID)
        return -1;
    return create(tern_team_get((uintptr_t)team, TERN_ROUTINE), options, ctx, TERN_ROUTINE);
}

TERN_API(void, shmem_ctx_destroy)(shmem_ctx_t ctx)
{
    struct tern_ctx *c;

    require_job(TERN_ROUTINE);
    if (ctx == SHMEM_CTX_INVALID)
        return;
    if (ctx == SHMEM_CTX_DEFAULT)
        tern_fatal(TERN_ROUTINE, "SHMEM_CTX_DEFAULT can't be destroyed");
    c = tern_ctx_get((uintptr_t)ctx, TERN_ROUTINE);
    if ((c->options & SHMEM_CTX_PRIVATE) && !pthread_equal(c->creator, pthread_self()))
        tern_fatal(TERN_ROUTINE, "ctx is private: only the thread that created it may destroy it");
    tern_ctx_destroy(c);
}

TERN_API(int, shmem_ctx_get_team)(shmem_ctx_t ctx, shmem_team_t *team)
{
    *team = SHMEM_TEAM_INVALID;
    require_job(TERN_ROUTINE);
    if (ctx == SHMEM_CTX_INVALID)
        return -1;
    *team = (shmem_team_t)tern_ctx_get((uintptr_t)ctx, TERN_ROUTINE)->team->handle;
    return 0;
}

TERN_API(void, shmem_ctx_session_start)
(shmem_ctx_t ctx, long options, const shmem_ctx_session_config_t *config, long config_mask)
{
    bool has_total = config_mask & SHMEM_CTX_SESSION_TOTAL_OPS;
    struct tern_ctx *c;

    require_job(TERN_ROUTINE);
    if (ctx == SHMEM_CTX_INVALID)
        return;
    c = tern_ctx_get((uintptr_t)ctx, TERN_ROUTINE);
    if (has_total && !config)
        tern_fatal(TERN_ROUTINE, "config is NULL, but config_mask selects fields of it");
    tern_ctx_session_start(c, options & SHMEM_CTX_SESSION_BATCH,
                           has_total ? &config->total_ops : NULL);
}

TERN_API(void, shmem_ctx_session_stop)(shmem_ctx_t ctx)
{
    require_job(TERN_ROUTINE);
    if (ctx != SHMEM_CTX_INVALID)
        tern_ctx_session_stop(tern_ctx_get((uintptr_t)ctx, TERN_ROUTINE));
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory ordering (9.12). */
#include "core/order.h"

#include "api/check.h"
#include "api/export.h"
#include "core/ctx.h"

/* SHMEM_CTX_INVALID has no operations to order or complete. */
static bool is_context(shmem_ctx_t ctx, const char *routine)
{
    return ctx == SHMEM_CTX_DEFAULT ||
           (ctx != SHMEM_CTX_INVALID && tern_ctx_get((uintptr_t)ctx, routine));
}

TERN_API(void, shmem_fence)(void)
{
    require_job(TERN_ROUTINE);
    tern_order_fence();
}

TERN_API(void, shmem_ctx_fence)(shmem_ctx_t ctx)
{
    require_job(TERN_ROUTINE);
    if (is_context(ctx, TERN_ROUTINE))
        tern_order_fence_channel(tern_ctx_channel((uintptr_t)ctx));
}

TERN_API(void, shmem_quiet)(void)
{
    require_job(TERN_ROUTINE);
    tern_order_quiet();
}

TERN_API(void, shmem_ctx_quiet)(shmem_ctx_t ctx)
{
    require_job(TERN_ROUTINE);
    if (is_context(ctx, TERN_ROUTINE))
        tern_order_quiet_channel(tern_ctx_channel((uintptr_t)ctx));
}

static void quiet_pes(uintptr_t ctx, const int *target_pes, size_t npes, const char *routine)
{
    for (size_t i = 0; i < npes; i++) {
        int pe = tern_ctx_world_pe(ctx, target_pes[i], routine);

        if (tern_unlikely((unsigned)pe >= (unsigned)tern_job.n_pes))
            tern_require_refuse_pe(pe, tern_job.n_pes, routine);
    }
    /* This completes operations to all PEs, which the standard permits. */
    if (npes)
        tern_order_quiet_channel(tern_ctx_channel(ctx));
}

TERN_API(void, shmem_pe_quiet)(const int *target_pes, size_t npes)
{
    require_job(TERN_ROUTINE);
    quiet_pes(TERN_CTX_DEFAULT, target_pes, npes, TERN_ROUTINE);
}

TERN_API(void, shmem_ctx_pe_quiet)(shmem_ctx_t ctx, const int *target_pes, size_t npes)
{
    require_job(TERN_ROUTINE);
    if (is_context(ctx, TERN_ROUTINE))
        quiet_pes((uintptr_t)ctx, target_pes, npes, TERN_ROUTINE);
}

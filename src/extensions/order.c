/* SPDX-License-Identifier: BSD-3-Clause */
/* Whether operations are complete, without waiting. */
#include "core/order.h"

#include "api/check.h"
#include "core/ctx.h"
#include "extensions/export.h"

TERN_API(int, shmemx_quiet_test)(void)
{
    require_job(TERN_ROUTINE);
    return tern_order_try_quiet(NULL);
}

TERN_API(int, shmemx_ctx_quiet_test)(shmem_ctx_t ctx)
{
    require_job(TERN_ROUTINE);
    return ctx == SHMEM_CTX_INVALID ||
           tern_order_try_quiet(tern_ctx_get((uintptr_t)ctx, TERN_ROUTINE)->channel);
}

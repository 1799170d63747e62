/* SPDX-License-Identifier: BSD-3-Clause */
/* Whether operations are complete, without waiting. */
#include "core/order.h"

#include "api/check.h"
#include "core/ctx.h"
#include "core/wait.h"
#include "ext/export.h"

static int is_quiet(struct tern_net_channel *channel)
{
    if (!tern_wait_looked(tern_net->is_quiet(channel)))
        return 0;
    tern_order_quiet_channel(channel); /* returns at once; orders this PE's own stores */
    return 1;
}

TERN_API(int, shmemx_quiet_test)(void)
{
    require_job(TERN_ROUTINE);
    return is_quiet(NULL);
}

TERN_API(int, shmemx_ctx_quiet_test)(shmem_ctx_t ctx)
{
    require_job(TERN_ROUTINE);
    return ctx == SHMEM_CTX_INVALID ||
           is_quiet(tern_ctx_get((uintptr_t)ctx, TERN_ROUTINE)->channel);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Performance counters of the operations to other nodes. */
#include "api/check.h"
#include "core/ctx.h"
#include "extensions/export.h"

static struct tern_net_counts counts_of(shmem_ctx_t ctx, const char *routine)
{
    struct tern_net_counts counts;

    tern_net->count(tern_ctx_get((uintptr_t)ctx, routine)->channel, &counts);
    return counts;
}

TERN_API(void, shmemx_pcntr_get_issued_write)(shmem_ctx_t ctx, uint64_t *value)
{
    *value = counts_of(ctx, TERN_ROUTINE).writes;
}

TERN_API(void, shmemx_pcntr_get_issued_read)(shmem_ctx_t ctx, uint64_t *value)
{
    *value = counts_of(ctx, TERN_ROUTINE).reads;
}

TERN_API(void, shmemx_pcntr_get_completed_write)(shmem_ctx_t ctx, uint64_t *value)
{
    *value = counts_of(ctx, TERN_ROUTINE).writes_done;
}

TERN_API(void, shmemx_pcntr_get_completed_read)(shmem_ctx_t ctx, uint64_t *value)
{
    *value = counts_of(ctx, TERN_ROUTINE).reads_done;
}

TERN_API(void, shmemx_pcntr_get_completed_target)(uint64_t *value)
{
    *value = counts_of(SHMEM_CTX_DEFAULT, TERN_ROUTINE).served;
}

TERN_API(void, shmemx_pcntr_get_all)(shmem_ctx_t ctx, shmemx_pcntr_t *pcntr)
{
    struct tern_net_counts counts = counts_of(ctx, TERN_ROUTINE);

    *pcntr = (shmemx_pcntr_t){
        .pending_put = counts.writes,
        .pending_get = counts.reads,
        .completed_put = counts.writes_done,
        .completed_get = counts.reads_done,
        .target = counts.served,
    };
}

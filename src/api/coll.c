/* SPDX-License-Identifier: BSD-3-Clause */
/* Collectives on teams (9.10). */
#include "api/coll.h"

#include "api/check.h"
#include "core/order.h"

#include "api/form_plain.h"

#include "api/form_typed.h"

#define TEMPLATE "api/coll_move.inc"
#include "api/types/rma.inc"
#undef TEMPLATE

#define TEMPLATE "api/coll_sum.inc"
#include "api/types/complex.inc"
#include "api/types/rma.inc"
#undef TEMPLATE

#define TEMPLATE "api/coll_order.inc"
#include "api/types/rma.inc"
#undef TEMPLATE

#define TEMPLATE "api/coll_bits.inc"
#include "api/types/bitwise.inc"
#undef TEMPLATE

#include "api/form_sized.h"

#define TEMPLATE "api/coll_move.inc"
#include "api/types/mem.inc"
#undef TEMPLATE

TERN_API(void, shmem_barrier_all)(void)
{
    require_job(TERN_ROUTINE);
    tern_order_complete();
    tern_coll_sync(&tern_team_world, TERN_ROUTINE);
}

TERN_API(void, shmem_sync_all)(void)
{
    require_job(TERN_ROUTINE);
    tern_coll_sync(&tern_team_world, TERN_ROUTINE);
}

TERN_API(int, shmem_team_sync)(shmem_team_t team)
{
    tern_coll_sync(tern_team_get((uintptr_t)team, TERN_ROUTINE), TERN_ROUTINE);
    return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Collectives on active sets (9.10, deprecated since 1.5). */
#include "api/coll.h"
#include "core/order.h"

/* The algorithms do not need the work array. */
static void reduce_in_set(int PE_start, int logPE_stride, int PE_size, const long *pSync,
                          void *dest, const void *source, int nreduce,
                          const struct tern_reduction_kernel *kernel, const char *routine)
{
    struct tern_team *set = tern_coll_active_set(PE_start, logPE_stride, PE_size, pSync, routine);

    if (nreduce < 0)
        tern_fatal(routine, "nreduce is %d: a count of elements is not negative", nreduce);
    if (set)
        tern_coll_reduce(set, dest, source, (size_t)nreduce, kernel, routine);
}

#include "api/form_plain.h"

#include "api/form_sized.h"

#define TEMPLATE "api/old_coll_move.inc"
#include "api/types/words.inc"
#undef TEMPLATE

#define TEMPLATE "api/old_coll_sum.inc"
#include "api/types/complex.inc"
#include "api/types/old_bits.inc"
#include "api/types/real.inc"
#undef TEMPLATE

#define TEMPLATE "api/old_coll_order.inc"
#include "api/types/old_bits.inc"
#include "api/types/real.inc"
#undef TEMPLATE

#define TEMPLATE "api/old_coll_bits.inc"
#include "api/types/old_bits.inc"
#undef TEMPLATE

TERN_API(void, shmem_barrier)(int PE_start, int logPE_stride, int PE_size, long *pSync)
{
    struct tern_team *set =
        tern_coll_active_set(PE_start, logPE_stride, PE_size, pSync, TERN_ROUTINE);

    if (!set)
        return;
    tern_order_complete();
    tern_coll_sync(set, TERN_ROUTINE);
}

TERN_API(void, shmem_sync)(int PE_start, int logPE_stride, int PE_size, long *pSync)
{
    struct tern_team *set =
        tern_coll_active_set(PE_start, logPE_stride, PE_size, pSync, TERN_ROUTINE);

    if (set)
        tern_coll_sync(set, TERN_ROUTINE);
}

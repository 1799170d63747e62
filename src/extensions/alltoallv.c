/* SPDX-License-Identifier: BSD-3-Clause */
/* Alltoall with blocks of any lengths, in bytes. */
#include "coll/coll.h"
#include "extensions/export.h"

TERN_API(void, shmemx_alltoallv)
(void *target, size_t *t_offsets, size_t *t_sizes, const void *source, size_t *s_offsets,
 size_t *s_sizes, int PE_start, int logPE_stride, int PE_size, long *pSync)
{
    struct tern_blocks blocks = {t_offsets, t_sizes, s_offsets, s_sizes, 0};
    struct tern_team *set =
        tern_coll_active_set(PE_start, logPE_stride, PE_size, pSync, TERN_ROUTINE);

    if (set)
        tern_coll_alltoallv(set, target, source, &blocks, TERN_ROUTINE);
}

TERN_API(void, shmemx_team_alltoallv)
(void *target, size_t *t_offsets, size_t *t_sizes, const void *source, size_t *s_offsets,
 size_t *s_sizes, shmem_team_t team, long *pSync)
{
    struct tern_blocks blocks = {t_offsets, t_sizes, s_offsets, s_sizes, 0};

    tern_coll_alltoallv(tern_team_get((uintptr_t)team, TERN_ROUTINE), target, source, &blocks,
                        TERN_ROUTINE);
}

TERN_API(void, shmemx_alltoallv_packed)
(void *target, size_t target_len, size_t *t_size, const void *source, size_t *s_offsets,
 size_t *s_sizes, int PE_start, int logPE_stride, int PE_size, long *pSync)
{
    struct tern_blocks blocks = {NULL, NULL, s_offsets, s_sizes, target_len};
    struct tern_team *set =
        tern_coll_active_set(PE_start, logPE_stride, PE_size, pSync, TERN_ROUTINE);

    if (set)
        *t_size = tern_coll_alltoallv(set, target, source, &blocks, TERN_ROUTINE);
}

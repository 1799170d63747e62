/* SPDX-License-Identifier: BSD-3-Clause */
/* Shared by waiting and testing for all types. */
#ifndef TERN_API_P2P_H
#define TERN_API_P2P_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "api/check.h"
#include "api/export.h"
#include "base/log.h"
#include "core/job.h"
#include "core/wait.h"

TERN_INLINE void check_cmp(int cmp, const char *routine)
{
    if (tern_unlikely((unsigned)cmp > SHMEM_CMP_LE))
        tern_fatal(routine, "cmp is %d: use one of SHMEM_CMP_EQ, NE, GT, GE, LT, LE", cmp);
}

/* PEs ring this bell after they have changed a variable of this PE. */
TERN_INLINE struct tern_bell *own_bell(void)
{
    return &tern_route.bells[tern_job.pe];
}

/* Whether status excludes variable i; a status of NULL excludes none. */
TERN_INLINE bool is_masked(const int *status, size_t i)
{
    return status && status[i];
}

static inline bool is_empty(const int *status, size_t nelems)
{
    for (size_t i = 0; i < nelems; i++)
        if (!is_masked(status, i))
            return false;
    return true;
}

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* Converts arguments of Intel SHMEM to those of OpenSHMEM. */
#ifndef TERN_ISHMEM_CONVERT_H
#define TERN_ISHMEM_CONVERT_H

#include <ishmem.h>
#include <ishmemx.h>
#include <shmem.h>

#include "base/compiler.h"
#include "client/fatal.h"
#include "ishmem/team.h"

TERN_INLINE shmem_team_t tern_ishmem_team(ishmem_team_t team)
{
    switch (team) {
    case ISHMEM_TEAM_WORLD:
        return tern_ishmem_world;
    case ISHMEM_TEAM_SHARED:
    case ISHMEMX_TEAM_NODE:
        return tern_ishmem_shared;
    case ISHMEM_TEAM_INVALID:
        return SHMEM_TEAM_INVALID;
    default:
        return tern_ishmem_team_find(team);
    }
}

_Static_assert(ISHMEM_CMP_NE - ISHMEM_CMP_EQ == SHMEM_CMP_NE - SHMEM_CMP_EQ &&
                   ISHMEM_CMP_GT - ISHMEM_CMP_EQ == SHMEM_CMP_GT - SHMEM_CMP_EQ &&
                   ISHMEM_CMP_GE - ISHMEM_CMP_EQ == SHMEM_CMP_GE - SHMEM_CMP_EQ &&
                   ISHMEM_CMP_LT - ISHMEM_CMP_EQ == SHMEM_CMP_LT - SHMEM_CMP_EQ &&
                   ISHMEM_CMP_LE - ISHMEM_CMP_EQ == SHMEM_CMP_LE - SHMEM_CMP_EQ,
               "comparisons differ by a constant");

/* An invalid comparison is passed on as an invalid one. */
TERN_INLINE int tern_ishmem_comparison(int cmp)
{
    return cmp - ISHMEM_CMP_EQ + SHMEM_CMP_EQ;
}

_Static_assert(ISHMEM_SIGNAL_SET == SHMEM_SIGNAL_SET && ISHMEM_SIGNAL_ADD == SHMEM_SIGNAL_ADD,
               "signal operations are handed on as they are");
_Static_assert(ISHMEM_THREAD_SINGLE == SHMEM_THREAD_SINGLE &&
                   ISHMEM_THREAD_FUNNELED == SHMEM_THREAD_FUNNELED &&
                   ISHMEM_THREAD_SERIALIZED == SHMEM_THREAD_SERIALIZED &&
                   ISHMEM_THREAD_MULTIPLE == SHMEM_THREAD_MULTIPLE,
               "levels of thread support are handed on as they are");

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* Active sets of several forms, and pSync and pWrk arrays that detect writes beside them. */
#ifndef ACTIVE_SET_SET_H
#define ACTIVE_SET_SET_H

#include "harness/check.h"

struct set {
    int start, log_stride, size; /* PE_start, logPE_stride, PE_size */
    int me;                      /* the caller's ordinal in the set, or -1 */
};

#define MAX_SETS 8

/* The same sets in the same order on every PE; no set is empty, some overlap, two are disjoint. */
int sets_list(struct set sets[MAX_SETS]);

/* The PE of an ordinal. */
static inline int set_pe(const struct set *set, int ordinal)
{
    return set->start + (ordinal << set->log_stride);
}

/* Long enough for any routine; the guards are what a routine must not reach. */
#define SYNC_GUARD 8
#define SYNC_GUARD_VALUE 0x5a5a5a5aL

struct sync {
    long before[SYNC_GUARD];
    long array[SHMEM_SYNC_SIZE + SYNC_GUARD];
};

/* Sets the first n_longs elements, those a routine is promised, and guards on both sides. */
void sync_prepare(struct sync *sync, size_t n_longs);

/* Checks that the elements are as before, and the guards too. */
void sync_check(const struct sync *sync, size_t n_longs);

/* pWrk for a reduction, with guards behind it. */
#define WORK_SIZE(nreduce)                                                                         \
    ((nreduce) / 2 + 1 > SHMEM_REDUCE_MIN_WRKDATA_SIZE ? (nreduce) / 2 + 1                         \
                                                       : SHMEM_REDUCE_MIN_WRKDATA_SIZE)
#define WORK_GUARD 8

#endif

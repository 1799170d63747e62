/* SPDX-License-Identifier: BSD-3-Clause */
/* A core for each of those who measure. Who includes this defines _GNU_SOURCE. */
#ifndef BENCH_CORES_H
#define BENCH_CORES_H

#include <sched.h>

/* Whether this process may use at least n cores. */
static inline int has_cores(int n)
{
    cpu_set_t allowed;

    return sched_getaffinity(0, sizeof allowed, &allowed) == 0 && CPU_COUNT(&allowed) >= n;
}

/*
 * Gives the calling thread, one of n, the core of its number if there are enough, for every library
 * alike: else two may land on one core, and take turns instead of answering each other.
 */
static inline void take_core(int which, int n)
{
    cpu_set_t allowed, own;

    if (!has_cores(n) || sched_getaffinity(0, sizeof allowed, &allowed))
        return;
    for (int core = 0; core < CPU_SETSIZE; core++)
        if (CPU_ISSET(core, &allowed) && which-- == 0) {
            CPU_ZERO(&own);
            CPU_SET(core, &own);
            sched_setaffinity(0, sizeof own, &own);
            return;
        }
}

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* A core for each of those who measure. Who includes this defines _GNU_SOURCE. */
#ifndef BENCH_CORES_H
#define BENCH_CORES_H

#include <sched.h>

/*
 * Gives the calling thread, one of n, the core of its number if there are enough, for every library
 * alike: else two may land on one core, and take turns instead of answering each other.
 */
static inline void take_core(int which, int n)
{
    cpu_set_t allowed, own;

    if (sched_getaffinity(0, sizeof allowed, &allowed) || CPU_COUNT(&allowed) < n)
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

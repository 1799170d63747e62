/* SPDX-License-Identifier: BSD-3-Clause */
/* What all measuring programs share, those without OpenSHMEM too: units, clock, order. */
#ifndef BENCH_PLAIN_H
#define BENCH_PLAIN_H

#include <stddef.h>
#include <time.h>

#define KIB ((size_t)1 << 10)
#define MIB ((size_t)1 << 20)

static inline double clock_ns(clockid_t clock)
{
    struct timespec t;

    clock_gettime(clock, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static inline double now_ns(void)
{
    return clock_ns(CLOCK_MONOTONIC);
}

/* For qsort: doubles, the least first. */
static inline int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

#endif

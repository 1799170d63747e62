/* SPDX-License-Identifier: BSD-3-Clause */
/* The clock that all PEs of a machine share. */
#ifndef TERN_TOOLS_CLOCK_H
#define TERN_TOOLS_CLOCK_H

#include <stdint.h>
#include <time.h>

static inline uint64_t tern_clock_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

#endif

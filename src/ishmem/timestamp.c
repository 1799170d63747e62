/* SPDX-License-Identifier: BSD-3-Clause */
/* Time stamps of the processor. */
#include <time.h>

#include "ishmem/convert.h"

static unsigned long now(void)
{
#ifdef __x86_64__
    return __builtin_ia32_rdtsc();
#elif defined(__aarch64__)
    unsigned long count;

    __asm__ volatile("mrs %0, cntvct_el0" : "=r"(count));
    return count;
#else
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    return (unsigned long)time.tv_sec * 1000000000 + (unsigned long)time.tv_nsec;
#endif
}

ishmemx_ts_handle_t ishmemx_ts_handle(unsigned long *where)
{
    return (ishmemx_ts_handle_t)where;
}

void ishmemx_timestamp(ishmemx_ts_handle_t dst)
{
    *(unsigned long *)dst = now();
}

void ishmemx_timestamp_nbi(ishmemx_ts_handle_t dst)
{
    ishmemx_timestamp(dst);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Lines for the user, and the clock. */
#include "net/ofi/log.h"

#include <stdarg.h>
#include <stdio.h>
#include <time.h>

void ofi_log(void (*to)(const char *text), const char *format, ...)
{
    char text[1024];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    to(text);
}

uint64_t ofi_now_ns(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

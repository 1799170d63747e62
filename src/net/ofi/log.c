/* SPDX-License-Identifier: BSD-3-Clause */
/* Lines for the user, and the clock. */
#include "net/ofi/log.h"

#include <rdma/fi_errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <time.h>

#include "net/ofi/engine.h"

void ofi_log(void (*to)(const char *text), const char *format, ...)
{
    char text[1024];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    to(text);
}

void ofi_log_explain(int code, char text[TERN_LIMIT_ERROR_BYTES])
{
    enum tern_limit what = code == -FI_EMFILE ? TERN_LIMIT_FILES : TERN_LIMIT_MEMORY;
    char limit[TERN_LIMIT_BYTES] = "";

    if (code == -FI_EMFILE || code == -FI_ENOMEM)
        ofi.host->explain(what, 0, limit);
    snprintf(text, TERN_LIMIT_ERROR_BYTES, "%s%s%s", fi_strerror(-code), limit[0] ? ": " : "",
             limit);
}

uint64_t ofi_now_ns(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Lines for the user, and the clock. */
#ifndef TERN_NET_OFI_LOG_H
#define TERN_NET_OFI_LOG_H

#include <stdint.h>

#include "base/compiler.h"
#include "base/limit.h"

void ofi_log(void (*to)(const char *text), const char *format, ...) TERN_PRINTF(2, 3);
uint64_t ofi_now_ns(void);

/* Writes what a negative code of libfabric means, and the limit behind it if there is one. */
void ofi_log_explain(int code, char text[TERN_LIMIT_ERROR_BYTES]) TERN_COLD;

#endif

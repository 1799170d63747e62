/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers for calls' places that other PEs of the machine can look up. */
#ifndef TERN_CHECK_SITE_TABLE_H
#define TERN_CHECK_SITE_TABLE_H

#include <stddef.h>

#include "tools/check/shared/portable_location.h"

/* So much shared memory is needed for n PEs. */
size_t tern_check_site_table_bytes(int n);

/* The memory is zero at first. */
void tern_check_site_table_start(void *memory, int me);

/* The number of a call's address and routine; 0 if there are too many. */
uint32_t tern_check_site_table_number(const struct tern_call *call);

/* What a PE's number stands for; *routine is NULL for 0. The text stays valid. */
const char *tern_check_site_table_text(int pe, uint32_t number,
                                       const struct tern_routine **routine);

#endif

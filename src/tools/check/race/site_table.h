/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers of call sites, which other PEs of the machine can look up. */
#ifndef TERN_CHECK_SITE_TABLE_H
#define TERN_CHECK_SITE_TABLE_H

#include <stddef.h>

#include "tools/check/shared/portable_location.h"

/* Bytes of shared memory needed for n PEs. */
size_t tern_check_site_table_bytes(int n);

/* The memory has to be zero at first. */
void tern_check_site_table_start(void *memory, int me);

/* The number of the call's site and routine; 0 if the table is full. */
uint32_t tern_check_site_table_number(const struct tern_call *call);

/* The source location of a PE's number, which stays valid. *routine: the routine; NULL for 0. */
const char *tern_check_site_table_text(int pe, uint32_t number,
                                       const struct tern_routine **routine);

#endif

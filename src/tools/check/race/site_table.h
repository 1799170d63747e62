/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers of call sites, which other PEs of the machine can look up. */
#ifndef TERN_CHECK_SITE_TABLE_H
#define TERN_CHECK_SITE_TABLE_H

#include <stdbool.h>
#include <stddef.h>

#include "tools/check/shared/portable_location.h"

/* What a program does itself, described as if it were a routine. */
enum tern_check_program_access {
    PROGRAM_LOAD,
    PROGRAM_STORE,
    PROGRAM_VOLATILE_LOAD,
    PROGRAM_VOLATILE_STORE,
    PROGRAM_ATOMIC_LOAD,
    PROGRAM_ATOMIC_STORE,
    PROGRAM_ATOMIC_UPDATE,
    N_PROGRAM_ACCESSES,
};
extern const struct tern_routine tern_check_program_routines[];

/* Whether it is one of these: its calls have no arguments. */
bool tern_check_site_table_is_program(const struct tern_routine *routine);

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

/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls in words, as the program's source has them. */
#ifndef TERN_CHECK_CALL_TEXT_H
#define TERN_CHECK_CALL_TEXT_H

#include "tools/call.h"

/*
 * Appends the call as in C, with the names of its arguments: "shmem_long_put(dest=&row[2],
 * source=0x7ffd20, nelems=3, pe=1)". Static and global objects, handles and constants have their
 * names.
 */
void tern_check_call_text_add(const struct tern_call *call, char *text, size_t size);

/*
 * The name of the routine that the program calls: that of the Fortran interface where the call
 * comes through it. The text stays valid. To be called while the call runs.
 */
const char *tern_check_call_text_routine(const struct tern_call *call);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* Constants of the program as the source of gets. */
#ifndef TERN_CORE_CONSTANT_H
#define TERN_CORE_CONSTANT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/compiler.h"

/*
 * Constants, such as `static const` arrays, lie in the executable's read-only data, which is not
 * shared. PEs that run the same executable have the same bytes there, so a get from another PE
 * copies this PE's own. Constants with addresses in them do not count: the loader fills those in,
 * with other values in each process.
 */
bool tern_constant_has(const void *addr, size_t bytes);

/* Ends the program unless that PE of the job runs the same executable. */
void tern_constant_require_same(const void *addr, int pe, const char *routine) TERN_COLD;

/*
 * Why these bytes of a constant can't be accessed, in words that fit after "dest 0x..."; NULL if
 * addr is not in a constant. The text is in the caller's buffer or constant.
 */
const char *tern_constant_explain(const void *addr, size_t bytes, char *text,
                                  size_t text_bytes) TERN_COLD;

#endif

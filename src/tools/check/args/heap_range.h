/* SPDX-License-Identifier: BSD-3-Clause */
/* How far the symmetric heap reaches, and whether the check knows all of its blocks. */
#ifndef TERN_CHECK_HEAP_RANGE_H
#define TERN_CHECK_HEAP_RANGE_H

#include <stdbool.h>

/* Finds the heap around an address in it, and notes it in tern_quick.heap. */
void tern_check_heap_range_find(const void *inside);

/*
 * Whether the check has seen all allocations. It does not see those by the profiling interface:
 * then an address in no known block may be valid.
 */
bool tern_check_heap_range_is_complete(void);

#endif

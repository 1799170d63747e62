/* SPDX-License-Identifier: BSD-3-Clause */
/* Questions to libishmem about the call that it makes for the program. */
#ifndef TERN_CHECK_ISHMEM_H
#define TERN_CHECK_ISHMEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tools/call.h"

/* Whether the program uses libishmem. */
bool tern_check_ishmem_is_used(void);

/*
 * The site in the program of a call that this thread makes on behalf of another one, as on a queue.
 * NULL for other calls.
 */
const void *tern_check_ishmem_site(void);

/*
 * Whether the call is an atomic operation on a word for the sake of one byte of it. Then sets
 * *start and *bytes to that byte.
 */
bool tern_check_ishmem_is_byte(const struct tern_call *call, uintptr_t *start, size_t *bytes);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* Locks: a queue of waiting PEs, first come, first served. */
#ifndef TERN_CORE_LOCK_H
#define TERN_CORE_LOCK_H

#include <stdint.h>

/* `word` is this PE's copy of the symmetric lock, 0 on all PEs while the lock is not in use. */
void tern_lock_set(uint64_t *word, const char *routine);

/* Returns 0 if it took the lock, 1 if another PE holds it; does not wait. */
int tern_lock_test(uint64_t *word, const char *routine);

void tern_lock_clear(uint64_t *word, const char *routine);

#endif

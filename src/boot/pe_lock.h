/* SPDX-License-Identifier: BSD-3-Clause */
/* One process a PE, where no shared memory says who it is. */
#ifndef TERN_BOOT_PE_LOCK_H
#define TERN_BOOT_PE_LOCK_H

#include <stdbool.h>
#include <stdint.h>

/*
 * A launcher's words are in the environment of a PE, and in that of whatever it starts: the first
 * process to claim the place is the PE, until it ends or replaces itself by exec(). False: another
 * process is.
 */
bool tern_claim_take(uint64_t place);

/* In the child of a fork, which must not hold its parent's place when that has ended. */
void tern_claim_forget(void);

#endif

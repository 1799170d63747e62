/* SPDX-License-Identifier: BSD-3-Clause */
/* The lock that makes one process the PE, before there is shared memory to hold a slot. */
#ifndef TERN_BOOT_EXTERNAL_PE_LOCK_H
#define TERN_BOOT_EXTERNAL_PE_LOCK_H

#include <stdbool.h>
#include <stdint.h>

/*
 * A launcher's variables are in the environment of a PE, and of all processes that it starts. The
 * first process to take the lock is the PE, until it ends or replaces itself by exec(). key: a
 * number unique among the PEs of this machine. False: another process has the lock.
 */
bool tern_pe_lock_take(uint64_t key);

/* In the child of a fork, which must not hold the lock once its parent has ended. */
void tern_pe_lock_forget(void);

#endif

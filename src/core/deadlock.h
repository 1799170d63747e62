/* SPDX-License-Identifier: BSD-3-Clause */
/* What a waiter shows of itself, and how it notices that it waits in vain. */
#ifndef TERN_CORE_DEADLOCK_H
#define TERN_CORE_DEADLOCK_H

/* Installs the hooks of core/wait.h. */
void tern_deadlock_start(void);

#endif

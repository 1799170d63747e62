/* SPDX-License-Identifier: BSD-3-Clause */
/* Publishes what a PE waits for, and detects waits that cannot end. */
#ifndef TERN_CORE_DEADLOCK_H
#define TERN_CORE_DEADLOCK_H

/* Installs the hooks of core/wait.h. */
void tern_deadlock_start(void);

#endif

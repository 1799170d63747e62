/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers by which PEs know that they are on one machine. */
#ifndef TERN_BOOT_EXTERNAL_IDENTITY_H
#define TERN_BOOT_EXTERNAL_IDENTITY_H

#include <stdint.h>

/*
 * *system: equal for PEs under one running kernel. *machine: equal for PEs of the job that can
 * share memory, which are on one system and in one network namespace. 0, or -errno if this process
 * lacks something that others have: it would then take itself for a PE of another machine.
 */
int tern_identity_find(uint64_t job, uint64_t *system, uint64_t *machine);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers by which PEs know that they are on one machine. */
#ifndef TERN_BOOT_EXTERNAL_IDENTITY_H
#define TERN_BOOT_EXTERNAL_IDENTITY_H

#include <stdint.h>

/* Equal for PEs under one running kernel. */
uint64_t tern_identity_system(void);

/* Equal for PEs of the job that can share memory: on one system, and in one network namespace. */
uint64_t tern_identity_machine(uint64_t system, uint64_t job);

#endif

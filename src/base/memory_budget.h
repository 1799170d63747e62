/* SPDX-License-Identifier: BSD-3-Clause */
/* How much memory the heaps of a machine's PEs may take by default. */
#ifndef TERN_BASE_MEMORY_BUDGET_H
#define TERN_BASE_MEMORY_BUDGET_H

#include <stdint.h>

#include "base/os.h"

/* Bytes for the heaps of all PEs together on a machine with these limits. */
uint64_t tern_memory_budget(const struct tern_os_memory_limits *limits);

/* The same for the limits of this process; slow, since it reads files of the control groups. */
uint64_t tern_memory_budget_here(void);

#endif

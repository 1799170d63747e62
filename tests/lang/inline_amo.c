/* SPDX-License-Identifier: BSD-3-Clause */
/* The atomic operations, in line. */
#define SHMEM_INLINE
#include "amo/values.c"

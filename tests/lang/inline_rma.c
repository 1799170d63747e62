/* SPDX-License-Identifier: BSD-3-Clause */
/* Transfers of one element among those of several, in line. */
#define SHMEM_INLINE
#include "rma/block.c"

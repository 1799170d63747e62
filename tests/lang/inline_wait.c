/* SPDX-License-Identifier: BSD-3-Clause */
/* Waits that inlined transfers of one element end. */
#define SHMEM_INLINE
#include "p2p/deprecated.c"

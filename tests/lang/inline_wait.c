/* SPDX-License-Identifier: BSD-3-Clause */
/* Waits that end by transfers of one element, in line. */
#define SHMEM_INLINE
#include "p2p/deprecated.c"

/* SPDX-License-Identifier: BSD-3-Clause */
/* The type-generic routines, in line. */
#define SHMEM_INLINE
#include "lang/generic.c"

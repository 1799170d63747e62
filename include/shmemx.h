/* SPDX-License-Identifier: BSD-3-Clause */
/* Extensions to OpenSHMEM, whose names begin with shmemx_; there are none in this version. */
#ifndef SHMEMX_H
#define SHMEMX_H

#include <shmem.h>

#endif

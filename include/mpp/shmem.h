/* SPDX-License-Identifier: BSD-3-Clause */
/* <shmem.h> under its old name. */
#include <shmem.h>

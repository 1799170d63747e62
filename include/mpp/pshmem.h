/* SPDX-License-Identifier: BSD-3-Clause */
/* <pshmem.h> under its old name. */
#include <pshmem.h>

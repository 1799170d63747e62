/* SPDX-License-Identifier: BSD-3-Clause */
/* <shmemx.h> under its old name. */
#include <shmemx.h>

/* SPDX-License-Identifier: BSD-3-Clause */
/* <shmem.h> under its old name, with what the libraries had at that time. */
#include <shmem-classic.h>
#include <shmem.h>

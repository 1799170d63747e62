/* SPDX-License-Identifier: BSD-3-Clause */
/* A library that has a routine of OpenSHMEM's name for itself. */
int shmem_n_pes(void);

int shmem_n_pes(void)
{
    return 77;
}

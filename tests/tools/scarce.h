/* SPDX-License-Identifier: BSD-3-Clause */
/* A library without room for what a tool allocates. */
#ifndef TESTS_TOOLS_SCARCE_H
#define TESTS_TOOLS_SCARCE_H

/* From here on shmem_align has no memory. */
void scarce_begin(void);

#endif

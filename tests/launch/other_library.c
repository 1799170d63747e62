/* SPDX-License-Identifier: BSD-3-Clause */
/* A stand-in for another OpenSHMEM library, with the name of Open MPI's. */
#include <stdio.h>

void other_init(void) __attribute__((visibility("default")));

void other_init(void)
{
    puts("started");
}

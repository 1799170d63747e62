/* SPDX-License-Identifier: BSD-3-Clause */
/* A program that was linked with another OpenSHMEM library, and, if WITH_TERN is set, with Tern. */
#ifdef WITH_TERN
#include <shmem.h>
#endif

void other_init(void);

int main(void)
{
#ifdef WITH_TERN
    shmem_init();
#endif
    other_init();
    return 0;
}

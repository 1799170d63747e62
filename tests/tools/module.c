/* SPDX-License-Identifier: BSD-3-Clause */
/* A module as of an interpreter: linked with the library, and loaded with local symbols. */
#include <shmem.h>

#include <dlfcn.h>

enum { N = 10 };

/* A name that a look-up of the module's finds in the module, and no other's does. */
int module_runs(int right);

static int run(int right)
{
    long row[N + 2] = {0}, *block;

    shmem_init();
    block = shmem_calloc(N, sizeof *block);
    shmem_long_put(block, row, right ? N : N + 2, shmem_my_pe()); /* past */
    shmem_free(block);
    shmem_finalize();
    return 0;
}

int module_runs(int right)
{
    return dlsym(RTLD_DEFAULT, "module_runs") == (void *)module_runs ? run(right) : 3;
}

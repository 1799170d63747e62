/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Prints whether its heap can hold blocks of the sizes in its arguments. With the argument "init"
 * it uses shmem_init, which cannot report an error. environment.py sets the environment and checks
 * the output.
 */
#include <shmem.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The status of a program whose shmem_init_thread reported an error. */
#define INIT_FAILED 9

int main(int argc, char **argv)
{
    int provided;

    if (argc > 1 && strcmp(argv[1], "init") == 0) {
        shmem_init();
        shmem_finalize();
        return 0;
    }
    if (shmem_init_thread(SHMEM_THREAD_SINGLE, &provided) != 0)
        return INIT_FAILED;
    for (int i = 1; i < argc; i++) {
        size_t size = strtoull(argv[i], NULL, 10);
        char *block = shmem_malloc(size);

        if (block)
            block[size - 1] = 1;
        if (shmem_my_pe() == 0)
            printf("%s %s\n", argv[i], block ? "fits" : "does not fit");
        shmem_free(block);
    }
    shmem_finalize();
    return 0;
}

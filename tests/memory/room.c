/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * room ROUTINE BYTES: requests BYTES by ROUTINE, more than the heap has, then even more, then a
 * size that fits. PE 0 prints which of the three requests succeeded.
 * ROUTINE "product" is shmem_calloc with BYTES as count and as size.
 */
#include <shmem.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *ask(const char *routine, size_t bytes)
{
    if (strcmp(routine, "shmem_malloc") == 0)
        return shmem_malloc(bytes);
    if (strcmp(routine, "shmem_calloc") == 0)
        return shmem_calloc(bytes / 8, 8);
    if (strcmp(routine, "product") == 0)
        return shmem_calloc(bytes, bytes);
    if (strcmp(routine, "shmem_align") == 0)
        return shmem_align(4096, bytes);
    if (strcmp(routine, "shmem_malloc_with_hints") == 0)
        return shmem_malloc_with_hints(bytes, SHMEM_MALLOC_ATOMICS_REMOTE);
    if (strcmp(routine, "shmem_realloc") == 0)
        return shmem_realloc(shmem_malloc(64), bytes);
    if (strcmp(routine, "shmalloc") == 0)
        return shmalloc(bytes);
    exit(95);
}

int main(int argc, char **argv)
{
    bool first, second, third;

    size_t bytes;

    if (argc != 3)
        return 95;
    bytes = strtoull(argv[2], NULL, 10);
    shmem_init();
    if (!shmem_malloc(1 << 20))
        return 94;
    first = ask(argv[1], bytes);
    second = ask(argv[1], bytes + 4096);
    third = ask(argv[1], 4096);
    if (shmem_my_pe() == 0)
        printf("%d %d %d\n", first, second, third);
    shmem_finalize();
    return 0;
}

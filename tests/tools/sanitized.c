/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sanitized CASE [right]: transfers with a private buffer that is 8 bytes too short, for
 * AddressSanitizer to find. The first transfer of a program takes another path than the later ones.
 */
#define SHMEM_CLASSIC
#include <shmem.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 12501 };

static uint64_t arrived;

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "";
    size_t n = strcmp(name, "put_100000") == 0 ? 12501 : 2, room;
    long *block, *buffer;
    int next;

    shmem_init();
    next = (shmem_my_pe() + 1) % shmem_n_pes();
    room = argc > 2 && strcmp(argv[2], "right") == 0 ? n : n - 1;
    block = shmem_calloc(MOST, sizeof *block);
    buffer = calloc(room, sizeof *buffer);
    shmem_long_put(block, buffer, room, next);
    shmem_barrier_all();
    if (strncmp(name, "put_1", 5) == 0)
        shmem_long_put(block, buffer, n, next);
    else if (strcmp(name, "get") == 0)
        shmem_long_get(buffer, block, n, next);
    else if (strcmp(name, "put_nbi") == 0)
        shmem_long_put_nbi(block, buffer, n, next);
    else if (strcmp(name, "strided") == 0)
        shmem_long_iput(block, buffer, 2, 1, n, next);
    else if (strcmp(name, "signal") == 0)
        shmem_long_put_signal(block, buffer, n, &arrived, 1, SHMEM_SIGNAL_SET, next);
    else if (strcmp(name, "fetch") == 0)
        shmem_long_atomic_fetch_nbi(&buffer[n - 1], block, next);
    else
        return 2;
    shmem_barrier_all();
    free(buffer);
    shmem_free(block);
    shmem_finalize();
    puts("right");
    return 0;
}

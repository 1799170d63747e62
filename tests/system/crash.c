/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Crashes in the last PE, with values in static data and on the heap for the test to find in the
 * core file.
 */
#include <shmem.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK (1 << 20)

struct note {
    char text[64];
    long number;
};

struct note kept = {.number = 1};
struct note *block;
char large[LARGE << 20];

int main(int argc, char **argv)
{
    shmem_init();
    block = shmem_malloc(BLOCK);
    memset(block, 0, BLOCK);
    shmem_barrier_all();
    strcpy(block->text, "on the symmetric heap");
    strcpy(kept.text, "in static data");
    shmem_long_p(&kept.number, 4711, (shmem_my_pe() + 1) % shmem_n_pes());
    shmem_long_p(&block->number, 1147, (shmem_my_pe() + 1) % shmem_n_pes());
    large[sizeof large / 2] = 1;
    shmem_barrier_all();
    if (shmem_my_pe() == shmem_n_pes() - 1) {
        if (argc > 1 && strcmp(argv[1], "mistake") == 0)
            shmem_long_p(&kept.number, 1, -1);
        raise(SIGSEGV);
    }
    shmem_barrier_all();
    shmem_finalize();
    return 0;
}

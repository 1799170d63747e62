/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The effects of a job over the network on its processes.
 *
 *     over fine           nothing but a barrier
 *     over environment    prints the variables of libfabric that the process has got
 *     over memory         prints how many KiB many operations have added to it
 *     over burst          starts more puts than are under way at a time
 */
#include <shmem.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define WARM_UP 1000
#define OPERATIONS 40000
#define BURST 5000

static long counter;

static void print_environment(void)
{
    for (char **variable = environ; *variable; variable++)
        if (strncmp(*variable, "FI_", 3) == 0)
            puts(*variable);
}

static long private_kib(void)
{
    FILE *f = fopen("/proc/self/smaps_rollup", "r");
    char line[128];
    long kib = -1;

    while (f && fgets(line, sizeof line, f))
        sscanf(line, "Private_Dirty: %ld", &kib);
    if (f)
        fclose(f);
    return kib;
}

static void operate(int times)
{
    for (int i = 0; i < times; i++)
        (void)shmem_long_atomic_fetch_inc(&counter, (shmem_my_pe() + 1) % shmem_n_pes());
    shmem_barrier_all();
}

static void print_memory(void)
{
    long before;

    operate(WARM_UP);
    before = private_kib();
    operate(OPERATIONS);
    printf("%ld\n", private_kib() - before);
}

static void burst(void)
{
    for (int i = 0; i < BURST; i++)
        shmem_long_put_nbi(&counter, &counter, 1, (shmem_my_pe() + 1) % shmem_n_pes());
    shmem_barrier_all();
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "fine";

    shmem_init();
    if (strcmp(what, "environment") == 0)
        print_environment();
    else if (strcmp(what, "memory") == 0)
        print_memory();
    else if (strcmp(what, "burst") == 0)
        burst();
    else
        shmem_barrier_all();
    shmem_finalize();
    return 0;
}

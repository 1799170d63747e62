/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * once NEXT FLAG [right]: PE 0 puts data and a flag to the last PE, a single time, and forgets the
 * fence between them; then it makes the call that NEXT names. The last PE waits for the flag and
 * then reads the data: the status is 1 if they are not there.
 */
#include <shmem.h>

#include <string.h>
#include <unistd.h>

static long data, flag, sum, one;

static void send(const char *kind, int right, int pe)
{
    shmem_long_p(&data, 42, pe);
    if (right)
        shmem_fence();
    if (strcmp(kind, "put") == 0)
        shmem_long_p(&flag, 1, pe);
    else
        shmem_long_atomic_set(&flag, 1, pe);
}

static void go_on(const char *name)
{
    if (strcmp(name, "quiet") == 0)
        shmem_quiet();
    else if (strcmp(name, "barrier") == 0)
        shmem_barrier_all();
    else if (strcmp(name, "reduce") == 0)
        shmem_long_sum_reduce(SHMEM_TEAM_WORLD, &sum, &one, 1);
    else if (strcmp(name, "free") == 0)
        shmem_free(shmem_malloc(8));
    else if (strcmp(name, "sleep") == 0)
        usleep(10000);
}

int main(int argc, char **argv)
{
    int right = argc > 3 && strcmp(argv[3], "right") == 0, wrong = 0, last;

    if (argc < 3)
        return 2;
    shmem_init();
    last = shmem_n_pes() - 1;
    if (shmem_my_pe() == 0)
        send(argv[2], right, last);
    if (shmem_my_pe() == last) {
        shmem_long_wait_until(&flag, SHMEM_CMP_EQ, 1);
        wrong = data != 42;
    }
    go_on(argv[1]);
    shmem_finalize();
    return wrong;
}

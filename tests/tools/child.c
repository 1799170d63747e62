/* SPDX-License-Identifier: BSD-3-Clause */
/* Children of fork end normally, and operations that their parent has started arrive once. */
#include <shmem.h>

#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ROUNDS = 50, UPDATES = 20 };

static long sum;

int main(void)
{
    int me, n, wrong = 0;

    shmem_init();
    me = shmem_my_pe();
    n = shmem_n_pes();
    for (int round = 0; round < ROUNDS; round++) {
        int status = -1;
        pid_t pid;

        for (int i = 0; i < UPDATES; i++)
            shmem_long_atomic_inc(&sum, (me + 1) % n);
        pid = fork();
        if (pid == 0)
            exit(0);
        wrong += waitpid(pid, &status, 0) != pid || status != 0;
    }
    shmem_barrier_all();
    wrong += sum != ROUNDS * UPDATES;
    if (wrong)
        printf("PE %d: %d things went wrong, %ld updates\n", me, wrong, sum);
    shmem_finalize();
    return wrong > 0;
}

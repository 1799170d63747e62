/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A message that goes around: each PE adds its number to it and hands it on. Put with signal
 * delivers the data and says so in one call; the next PE waits for the signal, then reads.
 */
#include <shmem.h>
#include <stdint.h>
#include <stdio.h>

/* Static data is symmetric: it exists on every PE and can be written from afar. */
static long message;
static uint64_t arrived;

int main(void)
{
    int me, n_pes, next;

    shmem_init();
    me = shmem_my_pe();
    n_pes = shmem_n_pes();
    next = (me + 1) % n_pes;

    if (me == 0) {
        long first = 0;

        shmem_long_put_signal(&message, &first, 1, &arrived, 1, SHMEM_SIGNAL_SET, next);
        shmem_signal_wait_until(&arrived, SHMEM_CMP_EQ, 1);
        printf("Around %d PEs: the sum of their numbers is %ld\n", n_pes, message);
    } else {
        shmem_signal_wait_until(&arrived, SHMEM_CMP_EQ, 1);
        long sum = message + me;
        shmem_long_put_signal(&message, &sum, 1, &arrived, 1, SHMEM_SIGNAL_SET, next);
    }
    shmem_finalize();
    return 0;
}

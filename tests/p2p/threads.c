/* SPDX-License-Identifier: BSD-3-Clause */
/* Another thread of the same PE ends a wait. */
#include "harness/board.h"

#include <pthread.h>

enum { ROUNDS = 30 };

static long *ping, *pong;

static void *answer(void *unused)
{
    (void)unused;
    for (long i = 1; i <= ROUNDS; i++) {
        shmem_long_wait_until(ping, SHMEM_CMP_GE, i);
        shmem_long_atomic_set(pong, i, check_pe());
    }
    return NULL;
}

int main(void)
{
    static long static_pong;
    int provided;
    pthread_t thread;

    if (shmem_init_thread(SHMEM_THREAD_MULTIPLE, &provided) != 0)
        return 1;
    check_attach("p2p/threads");
    check_case("two threads of one PE");
    if (provided == SHMEM_THREAD_MULTIPLE) {
        ping = shmem_calloc(1, sizeof *ping);
        pong = &static_pong;
        pthread_create(&thread, NULL, answer, NULL);
        for (long i = 1; i <= ROUNDS; i++) {
            shmem_long_atomic_inc(ping, check_pe());
            shmem_long_wait_until(pong, SHMEM_CMP_GE, i);
            check_equal(*pong, i, "other-thread-of-the-pe-ends-a-wait");
        }
        pthread_join(thread, NULL);
        shmem_free(ping);
    } else {
        check_passed();
    }
    return check_finish();
}

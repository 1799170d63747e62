/* SPDX-License-Identifier: BSD-3-Clause */
/* A program of the oldest interface: start_pes, no finalize; the end of main ends the job. */
#include "harness/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static long letter, source;
static int expected;

/* Registered before start_pes, so it runs after what start_pes has registered: the finalize. */
static void look_after_finalize(void)
{
    if (letter == expected)
        return;
    fprintf(stderr, "PE %d: legacy/start_pes: exit-finalizes: the letter is %ld, expected %d\n",
            check_pe(), letter, expected);
    _exit(1);
}

int main(void)
{
    struct timespec a_while = {0, 20000000};
    int n, status, initialized = 1;

    atexit(look_after_finalize);
    start_pes(0);
    check_attach("legacy/start_pes");
    check_case("start_pes");
    n = _num_pes();
    check(n >= 1, "num-pes", "%d PEs", n);
    check_equal(n, shmem_n_pes(), "num-pes");
    check_equal(_my_pe(), shmem_my_pe(), "my-pe");
    /* The argument means nothing, and neither does doing it again. */
    start_pes(1000);
    start_pes(-1);
    check_equal(_num_pes(), n, "start-pes-again");
    check_equal(_my_pe(), check_pe(), "start-pes-again");
    /* It counts as one init: another one, and its finalize, go inside. */
    shmem_init();
    shmem_finalize();
#if SHMEM_AT_LEAST(1, 6)
    shmem_query_initialized(&initialized);
#endif
    check(initialized, "start-pes-is-one-init", "an inner finalize ended all");
    shmem_barrier_all();
    status = check_report();

    /* One PE is late with its last put; the end of the others' mains waits for it. */
    expected = 50 + (_my_pe() + n - 1) % n;
    if (_my_pe() == n - 1)
        nanosleep(&a_while, NULL);
    source = 50 + _my_pe();
    shmem_long_put_nbi(&letter, &source, 1, (_my_pe() + 1) % n);
    return status;
}

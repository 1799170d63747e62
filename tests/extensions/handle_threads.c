/* SPDX-License-Identifier: BSD-3-Clause */
/* Handles and threads: each thread waits for handles of its own, and all wait for a shared one. */
#include "extensions/ring.h"
#include "threads/crew.h"

#include <shmemx.h>

enum { NELEMS = 3000, ROUNDS = 40, AT_ONCE = 8 };

static long source[NELEMS], dest[CREW][AT_ONCE][NELEMS], common[NELEMS];
static void *shared_handle;

/* Gets of single elements, which end in another order than they have begun. */
static void own_handles(int thread)
{
    void *handles[AT_ONCE];

    for (int round = 0; round < ROUNDS; round++) {
        size_t i = (size_t)(thread * ROUNDS + round);

        for (int k = 0; k < AT_ONCE; k++)
            shmem_long_get_nb(&dest[thread][k][0], &source[i + (size_t)k], 1, next(), &handles[k]);
        for (int k = AT_ONCE - 1; k >= 0; k--) {
            if (k % 2)
                shmem_wait_nb(handles[k]);
            else
                while (!shmem_test_nb(handles[k]))
                    ;
            check_equal(dest[thread][k][0], ORACLE(long, next(), i + (size_t)k, 1),
                        "nb-threads-own-handles");
        }
    }
}

/* Whoever finds it complete first ends it; for the others it has ended, or is another's by then. */
static void one_handle(int thread)
{
    for (int round = 0; round < ROUNDS; round++) {
        if (thread == 0) {
            common[NELEMS - 1] = 0;
            shmem_long_get_nb(common, source, NELEMS, next(), &shared_handle);
        }
        crew_meet();
        shmem_wait_nb(shared_handle);
        check_equal(common[NELEMS - 1], ORACLE(long, next(), NELEMS - 1, 1),
                    "nb-threads-one-handle");
        crew_meet();
    }
}

int main(void)
{
    crew_init("extensions/handle_threads");
    ORACLE_FILL(long, source, NELEMS, check_pe(), 1);
    shmem_barrier_all();
    crew_run(own_handles);
    crew_run(one_handle);
    shmem_barrier_all();
    return check_finish();
}

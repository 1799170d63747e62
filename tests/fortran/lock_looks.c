/* SPDX-License-Identifier: BSD-3-Clause */
/* A program that keeps testing a lock sometimes yields its core, which the holder may need. */
#include "harness/check.h"

#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

/* As many as a program makes in no time. */
enum { LOOKS = 1000, YIELDS_AT_LEAST = 3 };

void shmem_init_(void);
void shmem_set_lock_(int *lock);
int shmem_test_lock_(int *lock);
void shmem_clear_lock_(int *lock);

static int yields;

/* In the place of libc's, for the library too. */
__attribute__((visibility("default"))) int sched_yield(void)
{
    __atomic_fetch_add(&yields, 1, __ATOMIC_RELAXED);
    return (int)syscall(SYS_sched_yield);
}

int main(void)
{
    static int lock;
    int before, taken = 0;

    shmem_init_();
    check_attach("fortran/lock_looks");
    check_case("%d tests of a lock that somebody has", LOOKS);
    if (check_pe() == 0)
        shmem_set_lock_(&lock);
    shmem_barrier_all();
    before = __atomic_load_n(&yields, __ATOMIC_RELAXED);
    for (int i = 0; i < LOOKS; i++)
        taken += shmem_test_lock_(&lock);
    check(taken == LOOKS, "fortran-test-lock", "it was free %d times", LOOKS - taken);
    check(__atomic_load_n(&yields, __ATOMIC_RELAXED) - before >= YIELDS_AT_LEAST,
          "fortran-test-lock-yields", "%d yields", yields - before);
    shmem_barrier_all();
    if (check_pe() == 0)
        shmem_clear_lock_(&lock);
    return check_finish();
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * work_queue [right]: PE 0 has a list of tasks; each PE takes the next one by an atomic counter and
 * adds its result under a lock.
 *
 * Bug 1: a PE that finds no task for itself leaves without releasing the lock.
 * Bug 2: the result is fetched by a nonblocking get and used before a quiet.
 */
#include <shmem.h>

#include <stdio.h>
#include <string.h>

enum { TASKS = 60 };

static long next_task, lock, total, done;
static long tasks[TASKS];
static int me, n, right;

/* What a task stands for: the number of steps until it has come down to 1. */
static long solve(long number)
{
    long steps = 0;

    while (number > 1) {
        number = number % 2 ? 3 * number + 1 : number / 2;
        steps++;
    }
    return steps;
}

static void fill(void)
{
    if (me == 0)
        for (int i = 0; i < TASKS; i++)
            tasks[i] = 7 + 3 * i;
    shmem_barrier_all();
}

/* The number of the next task, or -1. */
static long take(void)
{
    long mine = shmem_long_atomic_fetch_add(&next_task, 1, 0);

    return mine < TASKS ? mine : -1;
}

static long fetch(long which)
{
    long number = 1;

    if (right)
        return shmem_long_g(&tasks[which], 0);
    shmem_long_get_nbi(&number, &tasks[which], 1, 0);
    shmem_long_put_nbi(&done, &number, 1, me); /* bug 2: number may not have arrived */
    shmem_quiet();
    return number;
}

static void add_result(long steps)
{
    long sum;

    shmem_set_lock(&lock);
    sum = shmem_long_g(&total, 0);
    shmem_long_p(&total, sum + steps, 0);
    if (right || steps != 0) {
        shmem_quiet();
        shmem_clear_lock(&lock);
    }
}

/* Takes tasks until there are no more. Returns how many it had. */
static int work(void)
{
    int count = 0;
    long which;

    while ((which = take()) >= 0) {
        long steps = solve(fetch(which));

        if (steps > 0)
            add_result(steps);
        count++;
    }
    if (me == n - 1)
        add_result(0); /* bug 1: keeps the lock */
    return count;
}

static long expected(void)
{
    long sum = 0;

    for (int i = 0; i < TASKS; i++)
        sum += solve(7 + 3 * i);
    return sum;
}

int main(int argc, char **argv)
{
    int count;

    right = argc > 1 && strcmp(argv[1], "right") == 0;
    shmem_init();
    me = shmem_my_pe();
    n = shmem_n_pes();
    fill();
    count = work();
    shmem_barrier_all();
    if (me == 0)
        printf("work_queue %s\n", total == expected() ? "complete" : "incomplete");
    if (count > TASKS)
        printf("PE %d had too many tasks\n", me);
    shmem_finalize();
    return 0;
}

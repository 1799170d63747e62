/* SPDX-License-Identifier: BSD-3-Clause */
/* Starts and joins the threads of a crew. */
#include "threads/crew.h"

#include <pthread.h>
#include <stdlib.h>

static void (*work_of_all)(int thread);
static pthread_barrier_t meeting;

void crew_init(const char *program)
{
    int provided = -1, error = shmem_init_thread(SHMEM_THREAD_MULTIPLE, &provided);

    check_attach(program);
    check_equal(error, 0, "multiple-provided");
    check_equal(provided, SHMEM_THREAD_MULTIPLE, "multiple-provided");
    pthread_barrier_init(&meeting, NULL, CREW);
}

static void *run(void *number)
{
    work_of_all((int)(intptr_t)number);
    return NULL;
}

void crew_run(void (*work)(int thread))
{
    pthread_t threads[CREW];

    work_of_all = work;
    for (intptr_t i = 1; i < CREW; i++)
        if (pthread_create(&threads[i], NULL, run, (void *)i) != 0)
            abort();
    work(0);
    for (int i = 1; i < CREW; i++)
        pthread_join(threads[i], NULL);
}

void crew_meet(void)
{
    pthread_barrier_wait(&meeting);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* The threads of a phase. */
#include "crew.h"

#include <pthread.h>
#include <stdint.h>

#include "report.h"

static int least = 1;
static void (*work)(int thread); /* of the phase that runs; one at a time */

void crew_at_least(int threads)
{
    least = threads < MAX_THREADS ? threads : MAX_THREADS;
}

int crew_draw(struct draw *draw)
{
    int threads = 1 + (int)draw_below(draw, MAX_THREADS);

    return threads < least ? least : threads;
}

static void *run_work(void *thread)
{
    work((int)(intptr_t)thread);
    return NULL;
}

void crew_run(int threads, void (*run)(int thread))
{
    pthread_t started[MAX_THREADS];

    work = run;
    for (intptr_t i = 1; i < threads; i++)
        expect(!pthread_create(&started[i], NULL, run_work, (void *)i), "no thread");
    run(0);
    for (int i = 1; i < threads; i++)
        pthread_join(started[i], NULL);
}

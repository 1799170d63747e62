/* SPDX-License-Identifier: BSD-3-Clause */
/* Ends a job in the way that its argument names; exits.py checks the result. */
#include <shmem.h>

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#pragma GCC diagnostic error "-Wreturn-type"

static long never;

/* Compiles only if shmem_global_exit is known not to return. */
static int end_all(int status)
{
    shmem_global_exit(status);
}

static void say_handler(void)
{
    printf("handler ran\n");
}

static void *end_from_thread(void *status)
{
    exit(end_all(*(int *)status));
}

/* What the last PE ends while the others are busy. */
static void be_busy(void)
{
    volatile long computed = 0;

    switch (shmem_my_pe() % 4) {
    case 0:
        for (;;)
            computed++;
    case 1:
        shmem_barrier_all();
        break;
    case 2:
        shmem_long_wait_until(&never, SHMEM_CMP_NE, 0);
        break;
    default:
        sleep(60);
    }
}

int main(int argc, char **argv)
{
    const char *how = argc > 1 ? argv[1] : "";
    int status = argc > 2 ? atoi(argv[2]) : 0, provided;
    bool last;

    shmem_init_thread(SHMEM_THREAD_MULTIPLE, &provided);
    last = shmem_my_pe() == shmem_n_pes() - 1;
    shmem_barrier_all();
    if (strcmp(how, "one") == 0) {
        if (!last)
            be_busy();
        end_all(status);
    } else if (strcmp(how, "everyone") == 0) {
        end_all(status + shmem_my_pe());
    } else if (strcmp(how, "flush") == 0) {
        if (!last)
            be_busy();
        atexit(say_handler);
        printf("unfinished line, ");
        end_all(status);
    } else if (strcmp(how, "thread") == 0) {
        pthread_t thread;

        if (!last)
            be_busy();
        pthread_create(&thread, NULL, end_from_thread, &status);
        pthread_join(thread, NULL);
    } else if (strcmp(how, "nested") == 0) {
        shmem_init();
        shmem_finalize();
        if (!last)
            be_busy();
        end_all(status);
    } else if (strcmp(how, "after") == 0) {
        int initialized;

        shmem_finalize();
        shmem_query_initialized(&initialized);
        printf("after finalize %d\n", initialized);
        return status;
    }
    fprintf(stderr, "went on after %s\n", how);
    return 99;
}

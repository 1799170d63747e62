/* SPDX-License-Identifier: BSD-3-Clause */
/* Starts threads whose calls are not the program's. */
#include "tools/thread.h"

#include <pthread.h>
#include <signal.h>
#include <stddef.h>

#include "tools/call.h"

static void *begin(void *run)
{
    tern_call_stay_inside();
    return ((void *(*)(void *))run)(NULL);
}

bool tern_thread_start(void *(*run)(void *))
{
    sigset_t all, before;
    pthread_t thread;
    bool started;

    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    started = pthread_create(&thread, NULL, begin, (void *)run) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (started)
        pthread_detach(thread);
    return started;
}

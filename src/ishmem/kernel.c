/* SPDX-License-Identifier: BSD-3-Clause */
/* Lets work-items that share a thread run while one of them waits. */
#include "ishmem/kernel.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "client/fatal.h"
#include "ishmem/site.h"

bool (*tern_ishmem_yield)(void);

/* Exported for ishmemx-sycl.h, which calls it before main(). */
void ishmemi_set_yield(bool (*yield)(void));

void ishmemi_set_yield(bool (*yield)(void))
{
    tern_store_relaxed(&tern_ishmem_yield, yield);
}

/*
 * After so many turns in a row without another work-item, none will come: Tern's SYCL starts
 * another work-group after 64 turns in which nothing ended.
 */
#define IDLE_TURNS 512

/* Turns between those at which the processor goes to other threads. */
#define OWN_TURNS 64

bool tern_ishmem_take_turn(struct tern_ishmem_turns *turns)
{
    if (turns->polls++ == 0)
        return true;
    if (tern_ishmem_yield())
        turns->idle = 0;
    else if (++turns->idle == IDLE_TURNS)
        return false;
    if (turns->polls % OWN_TURNS == 0)
        sched_yield();
    return true;
}

bool tern_ishmem_selects(size_t nelems, const int *status)
{
    for (size_t i = 0; i < nelems; i++)
        if (!status || !status[i])
            return true;
    return false;
}

bool tern_ishmem_has_company(void)
{
    for (int i = 0; i < IDLE_TURNS; i++)
        if (tern_ishmem_yield())
            return true;
    return false;
}

/* A thread for calls of kernels. It never ends: the next call may use it. */
struct helper {
    struct helper *next; /* of those without work */
    pthread_cond_t has_work;
    void (*run)(void *call); /* NULL without work */
    void *call;
    const void *site;
    int is_done;
};

static TERN_PE_LOCAL pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static TERN_PE_LOCAL struct helper *idle;

static void *help(void *self)
{
    struct helper *helper = self;

    for (;;) {
        pthread_mutex_lock(&lock);
        while (!helper->run)
            pthread_cond_wait(&helper->has_work, &lock);
        pthread_mutex_unlock(&lock);
        ishmemi_set_site(helper->site);
        helper->run(helper->call);
        helper->run = NULL;
        /* Release: partner of the acquire in tern_ishmem_run_aside(). */
        tern_store_release(&helper->is_done, 1);
    }
    return NULL;
}

/* Signals are for the program's own threads. */
static int start(struct helper *helper)
{
    sigset_t all, before;
    pthread_t thread;
    int r;

    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    r = pthread_create(&thread, NULL, help, helper);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (r == 0)
        pthread_detach(thread);
    return r;
}

static struct helper *new_helper(void)
{
    struct helper *helper = calloc(1, sizeof *helper);
    int r = helper ? pthread_cond_init(&helper->has_work, NULL) : ENOMEM;

    if (r == 0)
        r = start(helper);
    if (r)
        tern_client_fatal("a collective call in a kernel", "can't start a thread for it: %s",
                          strerror(r));
    return helper;
}

/* The calling thread's own, until it returns it. */
static struct helper *take_helper(void)
{
    struct helper *helper;

    pthread_mutex_lock(&lock);
    helper = idle;
    if (helper)
        idle = helper->next;
    pthread_mutex_unlock(&lock);
    return helper ? helper : new_helper();
}

static void give_work(struct helper *helper, void (*run)(void *call), void *call, const void *site)
{
    pthread_mutex_lock(&lock);
    helper->is_done = 0;
    helper->call = call;
    helper->site = site;
    helper->run = run;
    pthread_cond_signal(&helper->has_work);
    pthread_mutex_unlock(&lock);
}

static void give_back(struct helper *helper)
{
    pthread_mutex_lock(&lock);
    helper->next = idle;
    idle = helper;
    pthread_mutex_unlock(&lock);
}

void tern_ishmem_run_aside(void (*run)(void *call), void *call, const void *site)
{
    struct helper *helper = take_helper();

    give_work(helper, run, call, site);
    /* Acquire: partner of the release in help(). */
    while (!tern_load_acquire(&helper->is_done))
        if (!tern_ishmem_yield())
            sched_yield();
    give_back(helper);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Queued operations, in the order of their arrival. */
#include "tools/chaos/queue.h"

#include <pthread.h>
#include <shmem.h>
#include <stdlib.h>
#include <time.h>

#include "tools/clock.h"
#include "tools/no_memory.h"

/* The limits of one context's queue. */
#define MOST_OPERATIONS 128
#define MOST_BYTES (8 << 20)

/* The longest sleep of a thread that waits for operations to arrive. */
#define PAUSE_NS 100000000

struct operation {
    struct operation *next;
    struct tern_call call;
    int pe;
    uint64_t due;
    uint64_t fences; /* of the context, before this operation */
    void *copy;
    size_t held;
};

struct tern_queue {
    struct tern_queue *next;
    void *ctx;               /* NULL: the default context */
    struct operation *first; /* in the order of `due` */
    size_t n, held;
    uint64_t fences;  /* calls of fence by the program */
    uint64_t arrived; /* how many of those preceded the last operation that arrived */
};

static struct tern_queue default_queue;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t news; /* some queue's first operation has changed */

void tern_queue_start(void)
{
    pthread_condattr_t attr;

    pthread_condattr_init(&attr);
    pthread_condattr_setclock(&attr, CLOCK_MONOTONIC); /* the clock of tern_clock_ns() */
    pthread_cond_init(&news, &attr);
    pthread_condattr_destroy(&attr);
}

void tern_queue_lock(void)
{
    pthread_mutex_lock(&lock);
}

void tern_queue_unlock(void)
{
    pthread_mutex_unlock(&lock);
}

struct tern_queue *tern_queue_of(const void *ctx)
{
    for (struct tern_queue *queue = default_queue.next; queue; queue = queue->next)
        if (queue->ctx == ctx)
            return queue;
    return &default_queue;
}

void tern_queue_add(void *ctx)
{
    struct tern_queue *queue = calloc(1, sizeof *queue);

    if (!queue)
        tern_tool_no_memory("--chaos", "a context", sizeof *queue);
    queue->ctx = ctx;
    queue->next = default_queue.next;
    default_queue.next = queue;
}

void tern_queue_remove(void *ctx)
{
    for (struct tern_queue **at = &default_queue.next; *at; at = &(*at)->next)
        if ((*at)->ctx == ctx) {
            struct tern_queue *queue = *at;

            *at = queue->next;
            free(queue);
            return;
        }
}

void tern_queue_remove_all(void)
{
    while (default_queue.next)
        tern_queue_remove(default_queue.next->ctx);
}

/*
 * Calls the library's fence if the program called one after the operation that arrived last and
 * before the one that arrives now.
 */
static void keep_order(struct tern_queue *queue, uint64_t fences)
{
    if (fences > queue->arrived) {
        if (queue->ctx)
            TERN_REAL(shmem_ctx_fence)(queue->ctx);
        else
            TERN_REAL(shmem_fence)();
    }
    queue->arrived = fences;
}

static void arrive(struct tern_queue *queue, struct operation **at)
{
    struct operation *op = *at;

    *at = op->next;
    queue->n--;
    queue->held -= op->held;
    keep_order(queue, op->fences);
    tern_run(&op->call);
    free(op->copy); /* NULL except for blocking puts */
    free(op);
}

/* The time by which all queued operations to pe from before the last fence arrive; 0: none. */
static uint64_t time_of_fenced(const struct tern_queue *queue, int pe)
{
    uint64_t time = 0;

    for (const struct operation *op = queue->first; op; op = op->next)
        if (op->pe == pe && op->fences < queue->fences)
            time = op->due;
    return time;
}

bool tern_queue_run(struct tern_queue *queue, struct tern_call *call, int pe)
{
    if (time_of_fenced(queue, pe) > 0)
        return false;
    keep_order(queue, queue->fences);
    tern_run(call);
    return true;
}

bool tern_queue_has_unfenced(const struct tern_queue *queue, int pe)
{
    for (const struct operation *op = queue->first; op; op = op->next)
        if (op->pe == pe && op->fences == queue->fences)
            return true;
    return false;
}

void tern_queue_put(struct tern_queue *queue, const struct tern_call *call, int pe,
                    uint64_t delay_ns, void *copy, size_t held)
{
    struct operation *op = malloc(sizeof *op), **at = &queue->first;
    uint64_t due = tern_clock_ns() + delay_ns, after = time_of_fenced(queue, pe);

    if (!op)
        tern_tool_no_memory("--chaos", "a delayed operation", sizeof *op);
    if (due < after)
        due = after;
    *op = (struct operation){NULL, *call, pe, due, queue->fences, copy, held};
    while (*at && (*at)->due <= due)
        at = &(*at)->next;
    op->next = *at;
    *at = op;
    if (queue->first == op)
        pthread_cond_signal(&news);
    queue->n++;
    queue->held += held;
    while (queue->n > MOST_OPERATIONS || (queue->n > 1 && queue->held > MOST_BYTES))
        arrive(queue, &queue->first);
}

void tern_queue_fence(struct tern_queue *queue)
{
    queue->fences++;
}

void tern_queue_flush(struct tern_queue *queue)
{
    while (queue->first)
        arrive(queue, &queue->first);
}

/* Delivers the operations to pe that follow fewer than `fences` fences. */
static void flush_some(struct tern_queue *queue, int pe, uint64_t fences)
{
    for (struct operation **at = &queue->first; *at;)
        if ((*at)->pe == pe && (*at)->fences < fences)
            arrive(queue, at);
        else
            at = &(*at)->next;
}

void tern_queue_flush_pe(struct tern_queue *queue, int pe)
{
    flush_some(queue, pe, UINT64_MAX);
}

void tern_queue_flush_fenced(struct tern_queue *queue, int pe)
{
    flush_some(queue, pe, queue->fences);
    keep_order(queue, queue->fences);
}

void tern_queue_flush_all(void)
{
    for (struct tern_queue *queue = &default_queue; queue; queue = queue->next)
        tern_queue_flush(queue);
}

uint64_t tern_queue_turn(void)
{
    uint64_t now = tern_clock_ns(), next = 0;

    for (struct tern_queue *queue = &default_queue; queue; queue = queue->next) {
        while (queue->first && queue->first->due <= now)
            arrive(queue, &queue->first);
        if (queue->first && (!next || queue->first->due < next))
            next = queue->first->due;
    }
    return next;
}

static uint64_t time_of_last(const struct tern_queue *queue)
{
    uint64_t time = 0;

    for (const struct operation *op = queue->first; op; op = op->next)
        time = op->due;
    return time;
}

/* What other threads queue meanwhile does not prolong the wait. */
static void await(uint64_t end)
{
    uint64_t next = tern_queue_turn();

    while (next && next <= end) {
        uint64_t now = tern_clock_ns(), ns = next > now ? next - now : 0;
        struct timespec span = {0, (long)(ns < PAUSE_NS ? ns : PAUSE_NS)};

        tern_queue_unlock();
        nanosleep(&span, NULL);
        tern_queue_lock();
        next = tern_queue_turn();
    }
}

void tern_queue_await(const struct tern_queue *queue)
{
    await(time_of_last(queue));
}

void tern_queue_await_all(void)
{
    uint64_t end = 0;

    for (const struct tern_queue *queue = &default_queue; queue; queue = queue->next)
        if (time_of_last(queue) > end)
            end = time_of_last(queue);
    await(end);
}

void tern_queue_wait(uint64_t until)
{
    struct timespec time = {(time_t)(until / 1000000000), (long)(until % 1000000000)};

    if (until == 0)
        pthread_cond_wait(&news, &lock);
    else
        pthread_cond_timedwait(&news, &lock, &time);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The tool behind oshrun --chaos: delays and reorders operations as far as the standard allows. It
 * keeps two promises of the standard: a fence orders the operations of its context to each PE, and
 * a quiet, or a routine that implies one, completes operations.
 */
#include <pthread.h>
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/parse_uint.h"
#include "base/tool_protocol.h"
#include "tools/chaos/delay.h"
#include "tools/chaos/dice.h"
#include "tools/chaos/queue.h"
#include "tools/thread.h"

#define US 1000
#define MS (1000 * US)

/* How many calls that complete operations wait for these, and how many of the later ones do. */
#define ALWAYS_WAIT 64
#define WAIT_ONE_IN 8

/* The porter is a thread that delivers operations. Without it, the program's calls deliver them. */
static bool has_porter;
static bool ready; /* after the first init */
static bool over;  /* the process exits, or is the child of a fork; set once */
static int inits;  /* calls of init without a finalize yet; the queues' lock guards it */
static int level;  /* the thread level that the program asked for; guarded likewise */

static bool is_over(void)
{
    return __atomic_load_n(&over, __ATOMIC_RELAXED);
}

static void set_over(void)
{
    __atomic_store_n(&over, true, __ATOMIC_RELAXED);
}

static void sleep_ns(uint64_t ns)
{
    struct timespec span = {(time_t)(ns / (1000 * MS)), (long)(ns % (1000 * MS))};

    nanosleep(&span, NULL);
}

/* The porter: delivers operations while the program computes or waits. */
static void *deliver_in_background(void *unused)
{
    tern_queue_lock();
    while (!is_over())
        tern_queue_wait(tern_queue_turn());
    tern_queue_unlock();
    return NULL;
}

/* At exit: delivers everything. Later calls, as by exit handlers, go directly to the library. */
static void leave(void)
{
    if (is_over())
        return;
    tern_queue_lock();
    tern_queue_flush_all();
    set_over();
    tern_queue_unlock();
}

/* A malformed seed ends the program: a run with another seed would mislead the user. */
static uint64_t read_seed(void)
{
    const char *text = getenv(TERN_CHAOS_VARIABLE);
    uint64_t seed;

    if (tern_parse_uint(text ? text : TERN_CHAOS_SEED, UINT64_MAX, &seed) == 0)
        return seed;
    fprintf(stderr, "tern: %s is \"%.100s\": expected %s\n", TERN_CHAOS_VARIABLE, text,
            TERN_CHAOS_EXPECTS);
    exit(EXIT_FAILURE);
}

/*
 * After an init. The tool does nothing in a child of fork: the child has no porter, the lock may be
 * held for ever, and the queued operations are the parent's to deliver.
 */
static void get_ready(int provided)
{
    if (ready)
        return;
    ready = true;
    tern_dice_start(read_seed(), TERN_REAL(shmem_my_pe)());
    tern_queue_start();
    pthread_atfork(NULL, NULL, set_over);
    if (provided == SHMEM_THREAD_MULTIPLE)
        has_porter = tern_thread_start(deliver_in_background);
    atexit(leave);
}

/* Without a porter each call delivers what is due: a PE that polls may be waiting for it. */
static void deliver_due_if_alone(void)
{
    if (!has_porter)
        tern_queue_turn();
}

/*
 * Whether operations that a call completes arrive at their times, for which the call waits, and not
 * at once. Other PEs may then see a flag long before the data, as they would without the call. The
 * first calls of a PE always wait, later ones now and then, so that long programs stay fast. The
 * caller holds the queues' lock.
 */
static bool keeps_times(void)
{
    static unsigned n;

    if (n < ALWAYS_WAIT)
        return n++, true;
    return tern_dice_below(WAIT_ONE_IN) == 0;
}

static void complete_queue(struct tern_queue *queue)
{
    if (keeps_times())
        tern_queue_await(queue);
    tern_queue_flush(queue);
}

/* Delivers all operations, then makes the call. */
static void complete_all(struct tern_call *call)
{
    tern_queue_lock();
    if (keeps_times())
        tern_queue_await_all();
    tern_queue_flush_all();
    tern_queue_unlock();
    tern_run(call);
}

/* ---- set-up: the porter needs SHMEM_THREAD_MULTIPLE, whatever the program asks for ---- */

/* Counts an init that asked for this thread level. Returns the level that the first one set. */
static int count_init(int asked)
{
    int in_force;

    tern_queue_lock();
    if (inits++ == 0)
        level = asked;
    in_force = level;
    tern_queue_unlock();
    return in_force;
}

static int init_thread(int requested, int *provided)
{
    int got = SHMEM_THREAD_SINGLE, r;

    r = TERN_REAL(shmem_init_thread)(SHMEM_THREAD_MULTIPLE, &got);
    if (r != 0)
        return r;
    *provided = count_init(requested < got ? requested : got);
    get_ready(got);
    return 0;
}

static void init(struct tern_call *call)
{
    int provided;

    if (tern_has("shmem_init_thread")) {
        if (init_thread(SHMEM_THREAD_SINGLE, &provided) != 0)
            exit(EXIT_FAILURE); /* as shmem_init does: the library has printed the reason */
        return;
    }
    tern_run(call);
    count_init(SHMEM_THREAD_SINGLE);
    get_ready(SHMEM_THREAD_SINGLE);
}

/*
 * start_pes: not replaced by shmem_init_thread, because OpenSHMEM then would not end at exit. So
 * the tool cannot ask for threads.
 */
static void init_until_exit(struct tern_call *call)
{
    int provided = SHMEM_THREAD_SINGLE;

    tern_run(call);
    if (tern_has("shmem_query_thread"))
        TERN_REAL(shmem_query_thread)(&provided);
    count_init(provided);
    get_ready(provided);
}

static void finalize(struct tern_call *call)
{
    complete_all(call);
    tern_queue_lock();
    if (--inits == 0)
        tern_queue_remove_all();
    tern_queue_unlock();
}

static void query_thread(struct tern_call *call)
{
    tern_run(call);
    tern_queue_lock();
    if (inits > 0)
        *(int *)call->arg[0].p = level;
    tern_queue_unlock();
}

/* ---- contexts: never private or serialized, because the porter uses them too ---- */

static void create_ctx(struct tern_call *call)
{
    bool on_team = call->routine->place[TERN_TEAM];

    call->arg[on_team].i &= ~(SHMEM_CTX_SERIALIZED | SHMEM_CTX_PRIVATE);
    tern_run(call);
    if (call->result.i != 0)
        return;
    tern_queue_lock();
    tern_queue_add(*(void **)call->arg[on_team + 1].p);
    tern_queue_unlock();
}

static void destroy_ctx(struct tern_call *call)
{
    void *ctx = tern_call_pointer(call, TERN_CTX);

    tern_queue_lock();
    complete_queue(tern_queue_of(ctx));
    tern_queue_remove(ctx);
    tern_queue_unlock();
    tern_run(call);
}

/* ---- the program's calls ---- */

/* Sleeps at random, so that PEs enter and leave a synchronization at different times. */
static void sleep_at_random(void)
{
    uint64_t ns = 0;

    tern_queue_lock();
    if (tern_dice_below(8) == 0)
        ns = tern_dice_below(MS / 2);
    tern_queue_unlock();
    if (ns > 0)
        sleep_ns(ns);
}

/*
 * Delivers the operations on the default context. Barriers, also those of allocating and freeing,
 * and clearing a lock quiet that context only (9.3, 9.10.1, 9.13.1 of the standard). Operations on
 * other contexts may stay queued, which exposes programs that rely on their completion.
 */
static void complete_default(void)
{
    tern_queue_lock();
    complete_queue(tern_queue_of(NULL));
    deliver_due_if_alone();
    tern_queue_unlock();
}

/*
 * For calls that can block. Without a porter, delivers everything first: other PEs may need it to
 * end the wait.
 */
static void make_blocking(struct tern_call *call)
{
    sleep_at_random();
    if (!has_porter) {
        tern_queue_lock();
        tern_queue_flush_all();
        tern_queue_unlock();
    }
    tern_run(call);
    sleep_at_random();
}

/* For calls that neither queue nor block: delivers what is due if there is no porter. */
static void deliver_due(struct tern_call *call)
{
    if (!has_porter) {
        tern_queue_lock();
        tern_queue_turn();
        tern_queue_unlock();
    }
    tern_run(call);
}

static void flush_some(struct tern_call *call, struct tern_queue *queue)
{
    int first = call->routine->place[TERN_CTX]; /* 1 if the list comes after a context */
    const int *pes = call->arg[first].p;

    for (size_t i = 0; i < call->arg[first + 1].u; i++)
        tern_queue_flush_pe(queue, pes[i]);
}

/* Whether the call is on SHMEM_CTX_INVALID: the library ignores or refuses it. */
static bool has_no_ctx(struct tern_call *call)
{
    return call->routine->place[TERN_CTX] &&
           tern_call_pointer(call, TERN_CTX) == (void *)SHMEM_CTX_INVALID;
}

/* Makes quiets without the lock: they may wait for other machines, and block no other thread. */
static void communicate(struct tern_call *call)
{
    struct tern_queue *queue;
    bool runs_later = false;

    tern_queue_lock();
    deliver_due_if_alone();
    queue = tern_queue_of(tern_call_pointer(call, TERN_CTX));
    switch (call->routine->kind) {
    case TERN_KIND_AMO_FETCH:
        tern_delay_run(queue, call);
        break;
    case TERN_KIND_FENCE:
        tern_queue_fence(queue);
        tern_run(call);
        break;
    case TERN_KIND_QUIET:
        complete_queue(queue);
        runs_later = true;
        break;
    case TERN_KIND_PE_QUIET:
        flush_some(call, queue);
        runs_later = true;
        break;
    default:
        tern_delay_begin(queue, call);
    }
    tern_queue_unlock();
    if (runs_later)
        tern_run(call);
}

bool tern_tool_call(struct tern_call *call)
{
    int provided;

    if (is_over()) {
        tern_run(call);
        return false;
    }
    switch (call->routine->kind) {
    case TERN_KIND_INIT:
        init(call);
        break;
    case TERN_KIND_INIT_THREAD:
        call->result.i =
            init_thread((int)call->arg[0].i, call->arg[1].p ? call->arg[1].p : &provided);
        break;
    case TERN_KIND_START_PES:
        init_until_exit(call);
        break;
    case TERN_KIND_FINALIZE:
        finalize(call);
        break;
    case TERN_KIND_QUERY_THREAD:
        query_thread(call);
        break;
    case TERN_KIND_CTX_CREATE:
        create_ctx(call);
        break;
    case TERN_KIND_CTX_DESTROY:
        destroy_ctx(call);
        break;
    case TERN_KIND_PUT:
    case TERN_KIND_PUT_NBI:
    case TERN_KIND_GET_NBI:
    case TERN_KIND_AMO:
    case TERN_KIND_AMO_FETCH:
    case TERN_KIND_AMO_NBI:
    case TERN_KIND_PUT_SIGNAL:
    case TERN_KIND_PUT_SIGNAL_NBI:
    case TERN_KIND_SIGNAL:
    case TERN_KIND_FENCE:
    case TERN_KIND_QUIET:
    case TERN_KIND_PE_QUIET:
        if (!ready || has_no_ctx(call))
            tern_run(call);
        else
            communicate(call);
        break;
    case TERN_KIND_QUERY:
    case TERN_KIND_CONTROL:
    case TERN_KIND_GET:
    case TERN_KIND_TEST:
        deliver_due(call);
        break;
    case TERN_KIND_WAIT:
    case TERN_KIND_SYNC:
    case TERN_KIND_COLLECTIVE:
    case TERN_KIND_TEAM_SPLIT:
        make_blocking(call);
        break;
    case TERN_KIND_BARRIER:
    case TERN_KIND_ALLOC:
        complete_default();
        make_blocking(call);
        break;
    case TERN_KIND_LOCK_CLEAR:
        sleep_at_random();
        complete_default();
        tern_run(call);
        sleep_at_random();
        break;
    default: /* exit, the end of a team, or an unknown routine */
        complete_all(call);
    }
    return false;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Handles that threads of one PE pass to each other: a thread that has the handle finds the
 * complete object.
 */
#include "core/handle.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/atomics.h"
#include "tsan/pes.h"

/*
 * The release in tern_handle_add() has the acquire in tern_handle_find() for a partner, so that a
 * number may be passed on by whatever means. A number that was given back finds nothing, even when
 * its place has another object.
 */
enum { ROUNDS = 20000, THREADS = 3 };

struct object {
    uintptr_t handle;
    long round;
};

struct shared {
    struct tern_handles handles;
    uintptr_t passed[THREADS][2]; /* by each thread to the next one, in turn */
    uint64_t taken[THREADS] TERN_ALIGNED(TERN_LINE);
};

struct player {
    struct shared *shared;
    int me;
    long rounds;
    pthread_t thread;
};

static void pass(struct shared *s, int me, struct object *object, long round)
{
    object->round = round;
    object->handle = tern_handle_add(&s->handles, object);
    expect(object->handle != 0, "room", "no handle in round %ld", round);
    tern_store_relaxed(&s->passed[me][round % 2], object->handle);
}

static void take(struct shared *s, int from, uintptr_t last, long round)
{
    uintptr_t handle;
    struct object *found;

    while ((handle = tern_load_relaxed(&s->passed[from][round % 2])) == last)
        sched_yield();
    found = tern_handle_find(&s->handles, handle);
    expect(found != NULL, "found", "the handle of round %ld names nothing", round);
    expect(found->round == round, "whole", "the object of round %ld is %ld's", round, found->round);
    tern_store_release(&s->taken[from], (uint64_t)round);
}

/* An object that is still in the table is whole, and stays so while it is looked at. */
static void look_at(void *object, void *newest)
{
    const struct object *o = object;

    if (o->round > *(long *)newest)
        *(long *)newest = o->round;
}

static void *play(void *arg)
{
    struct player *p = arg;
    struct shared *s = p->shared;
    int before = (p->me + THREADS - 1) % THREADS;
    struct object objects[2];
    uintptr_t last[2] = {0, 0};

    for (long round = 1; round <= p->rounds; round++) {
        struct object *object = &objects[round % 2];
        long newest = 0;
        uintptr_t stale;

        pass(s, p->me, object, round);
        take(s, before, last[round % 2], round);
        last[round % 2] = tern_load_relaxed(&s->passed[before][round % 2]);
        tern_handle_each(&s->handles, look_at, &newest);
        expect(newest >= round, "walk", "the walk of round %ld has found %ld", round, newest);
        pes_await(&s->taken[p->me], (uint64_t)round);
        stale = object->handle;
        tern_handle_remove(&s->handles, stale);
        expect(tern_handle_find(&s->handles, stale) == NULL, "stale",
               "a handle that was given back names something in round %ld", round);
    }
    return NULL;
}

static void drop(struct tern_handles *handles, uintptr_t kept)
{
    struct object *object = tern_handle_entry(handles, kept)->object;

    tern_handle_remove(handles, kept);
    free(object);
}

/* The handle of an object that was kept by whichever thread, or of a new one. */
static uintptr_t reuse(struct tern_handles *handles, long round)
{
    uintptr_t handle = 0;
    struct object *object = tern_handle_reuse(handles, &handle, true);

    if (!object) {
        object = calloc(1, sizeof *object);
        object->round = round;
        return tern_handle_add(handles, object);
    }
    expect(object->handle != handle, "new", "a kept object has its old handle in round %ld", round);
    expect(tern_handle_find(handles, object->handle) == NULL, "stale",
           "the handle of a kept object names something in round %ld", round);
    object->round = round;
    tern_handle_publish(handles, handle);
    return handle;
}

/* Objects that the table keeps: one thread at a time has each of them. */
static void *play_with_kept(void *arg)
{
    struct player *p = arg;
    struct tern_handles *handles = &p->shared->handles;

    for (long round = 1; round <= p->rounds; round++) {
        uintptr_t handle = reuse(handles, round), before;
        struct object *object = tern_handle_find(handles, handle);

        expect(object != NULL, "found", "the handle of round %ld names nothing", round);
        object->handle = handle;
        expect(object->round == round, "own", "another thread has the object of round %ld", round);
        before = tern_handle_keep(handles, handle, true);
        expect(tern_handle_find(handles, handle) == NULL, "stale",
               "a handle whose object is kept names something in round %ld", round);
        if (before)
            drop(handles, before);
    }
    return NULL;
}

static void run(struct shared *s, void *(*work)(void *arg))
{
    struct player players[THREADS];

    for (int i = 0; i < THREADS; i++) {
        players[i] = (struct player){.shared = s, .me = i, .rounds = pes_rounds(ROUNDS)};
        pthread_create(&players[i].thread, NULL, work, &players[i]);
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(players[i].thread, NULL);
}

static void body(void)
{
    static const struct tern_handles none = TERN_HANDLES_INIT;
    struct shared *s = shmem_calloc(1, sizeof *s);

    if (shmem_my_pe() != 0)
        return; /* the table is one PE's own */
    s->handles = none;
    run(s, play);
    run(s, play_with_kept);
    if (s->handles.kept)
        drop(&s->handles, s->handles.kept);
}

int main(int argc, char **argv)
{
    return pes_run(argc, argv, "litmus/handles", body);
}

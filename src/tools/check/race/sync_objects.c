/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps for each object the last release of each thread, in a hash table. */
#include "tools/check/race/sync_objects.h"

#include <stdlib.h>

#include "tools/check/race/clocks.h"
#include "tools/check/race/program_accesses.h"

#define BUCKETS 4096
#define MOST_THREADS 64

struct object {
    struct object *next;
    const void *address;
    uint64_t released[MOST_THREADS]; /* by the number of the thread; 0: never */
};

static struct object *buckets[BUCKETS];
static char lock; /* a spin lock: mutexes of POSIX are what this file is about */

static void take_lock(void)
{
    while (__atomic_test_and_set(&lock, __ATOMIC_ACQUIRE)) /* partner: drop_lock() */
        ;
}

static void drop_lock(void)
{
    __atomic_clear(&lock, __ATOMIC_RELEASE); /* partner: take_lock() */
}

static struct object **find(const void *address)
{
    size_t bucket = (size_t)((uintptr_t)address * UINT64_C(0x9e3779b97f4a7c15) >> 52);
    struct object **place = &buckets[bucket];

    while (*place && (*place)->address != address)
        place = &(*place)->next;
    return place;
}

void tern_check_sync_objects_release(const void *address)
{
    struct object **place, *object;
    uint64_t when;

    tern_check_program_accesses_flush();
    if (!tern_check_clocks_has_threads())
        return;
    when = tern_check_clocks_publish();
    take_lock();
    place = find(address);
    object = *place;
    if (!object) {
        object = *place = calloc(1, sizeof *object);
        if (object)
            object->address = address;
    }
    if (object)
        object->released[tern_check_clocks_thread((int)(when & (MAX_ACTORS - 1)))] = when;
    drop_lock();
}

void tern_check_sync_objects_acquire(const void *address)
{
    uint64_t released[MOST_THREADS];
    int n = 0;
    const struct object *object;

    tern_check_program_accesses_flush();
    if (!tern_check_clocks_has_threads())
        return;
    take_lock();
    object = *find(address);
    for (int i = 0; object && i < MOST_THREADS; i++)
        if (object->released[i])
            released[n++] = object->released[i];
    drop_lock();
    for (int i = 0; i < n; i++)
        tern_check_clocks_learn(released[i]);
}

void tern_check_sync_objects_forget(const void *address)
{
    struct object **place, *object;

    take_lock();
    place = find(address);
    object = *place;
    if (object)
        *place = object->next;
    drop_lock();
    free(object);
}

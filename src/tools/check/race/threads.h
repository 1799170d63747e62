/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The threads of a PE as actors, and what the wrappers of thread libraries need: they are in front
 * of pthread_create() and others, and record how these order threads.
 */
#ifndef TERN_CHECK_THREADS_H
#define TERN_CHECK_THREADS_H

#include <stdbool.h>
#include <stdint.h>

#include "tools/check/race/clocks.h"
#include "tools/check/race/race.h"
#include "tools/quick.h"

/* The check of races has begun, in this thread. */
void tern_check_threads_start(void);

/* The slow path of tern_check_threads_enter(). */
void tern_check_threads_adopt(void);

/* A thread makes a call: if it is no actor yet, it becomes one that knows what its PE has done. */
static inline void tern_check_threads_enter(void)
{
    if (!tern_check_clocks_is_actor())
        tern_check_threads_adopt();
}

/*
 * Whether what this thread does in a thread library orders it with others: not in the tool or the
 * OpenSHMEM library, nor in threads that make no calls and whose accesses are not seen.
 */
static inline bool tern_check_threads_count(void)
{
    return tern_check_race_is_on && tern_thread_state != TERN_INSIDE &&
           tern_check_clocks_is_actor();
}

/* The calling thread releases or acquires, if it counts. */
void tern_check_threads_release(const void *object);
void tern_check_threads_acquire(const void *object);
void tern_check_threads_forget(const void *object);

/*
 * The calling thread is about to create another: returns what the new one passes to begin(), 0 if
 * the thread does not count. end() comes last in the new thread, and releases at the object.
 */
uint64_t tern_check_threads_fork(void);
void tern_check_threads_begin(uint64_t when);
void tern_check_threads_end(const void *object);

/* A function of the next library that has the name, which is the thread library. */
void *tern_check_threads_next(const char *name);

#define NEXT(name)                                                                                 \
    ({                                                                                             \
        static void *known_;                                                                       \
        void *found_ = __atomic_load_n(&known_, __ATOMIC_RELAXED);                                 \
                                                                                                   \
        if (!found_)                                                                               \
            __atomic_store_n(&known_, found_ = tern_check_threads_next(#name), __ATOMIC_RELAXED);  \
        (__typeof__(&name))found_;                                                                 \
    })

#define EXPORT __attribute__((visibility("default")))

#endif

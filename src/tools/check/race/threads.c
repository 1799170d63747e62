/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes threads actors, and records how they order each other. */
#include "tools/check/race/threads.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

#include "tools/check/race/program_accesses.h"
#include "tools/check/race/sync_objects.h"
#include "tools/check/shared/identity.h"

void tern_check_threads_start(void)
{
}

void __attribute__((noinline)) tern_check_threads_adopt(void)
{
    tern_check_clocks_join();
    tern_check_clocks_learn_pe(tern_check_my_pe());
}

#define INSIDE(...)                                                                                \
    do {                                                                                           \
        unsigned char state_ = tern_thread_state;                                                  \
                                                                                                   \
        tern_thread_state = TERN_INSIDE;                                                           \
        __VA_ARGS__;                                                                               \
        tern_thread_state = state_;                                                                \
    } while (0)

void tern_check_threads_release(const void *object)
{
    if (tern_check_threads_count())
        INSIDE(tern_check_sync_objects_release(object));
}

void tern_check_threads_acquire(const void *object)
{
    if (tern_check_threads_count())
        INSIDE(tern_check_sync_objects_acquire(object));
}

void tern_check_threads_forget(const void *object)
{
    if (tern_check_threads_count())
        tern_check_sync_objects_forget(object);
}

static uint64_t publish(void)
{
    tern_check_program_accesses_flush();
    return tern_check_clocks_publish();
}

uint64_t tern_check_threads_fork(void)
{
    uint64_t when = 0;

    if (tern_check_threads_count())
        INSIDE(when = publish());
    return when;
}

static void begin(uint64_t when)
{
    if (!tern_check_clocks_is_actor())
        tern_check_clocks_join();
    tern_check_program_accesses_flush();
    tern_check_clocks_learn(when);
}

void tern_check_threads_begin(uint64_t when)
{
    if (when && tern_check_race_is_on)
        INSIDE(begin(when));
}

static void end(const void *object)
{
    tern_check_sync_objects_release(object);
    tern_check_program_accesses_end_thread();
    tern_check_clocks_leave();
}

void tern_check_threads_end(const void *object)
{
    if (tern_check_threads_count())
        INSIDE(end(object));
}

void *tern_check_threads_next(const char *name)
{
    void *found = dlsym(RTLD_NEXT, name);

    if (!found) {
        fprintf(stderr, "check: no library of this program has %s\n", name);
        abort();
    }
    return found;
}

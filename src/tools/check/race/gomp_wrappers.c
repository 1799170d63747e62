/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Wrappers of libgomp, which is what gcc compiles OpenMP to. Its own locks are not seen, as they
 * are made of futexes.
 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "tools/check/race/threads.h"

/* The team of threads that runs a parallel region. Its members have addresses to be named by. */
struct team {
    void (*run)(void *);
    void *data;
    uint64_t begun;
    char barrier, tasks, end, ordered;
};

static struct team initial; /* outside of all parallel regions */
static __thread struct team *team;

static struct team *my_team(void)
{
    return team ? team : &initial;
}

/* ---- parallel regions ---- */

static void run_member(void *given)
{
    struct team *of = given, *before = team;

    team = of;
    tern_check_threads_begin(of->begun);
    of->run(of->data);
    tern_check_threads_release(&of->end);
    team = before;
}

/* The objects of a team live as long as its region. */
static void end_region(const struct team *of)
{
    const char *const objects[] = {&of->tasks, &of->barrier, &of->end, &of->ordered};

    for (size_t i = 0; i < sizeof objects / sizeof *objects; i++) {
        tern_check_threads_acquire(objects[i]);
        tern_check_threads_forget(objects[i]);
    }
}

#define PARALLEL(name, type, parameters, ...)                                                      \
    type name parameters;                                                                          \
    EXPORT type name parameters                                                                    \
    {                                                                                              \
        struct team of = {run, data, tern_check_threads_fork(), 0, 0, 0, 0};                       \
                                                                                                   \
        NEXT(name)(run_member, &of, __VA_ARGS__);                                                  \
        end_region(&of);                                                                           \
    }

/* clang-format off */
PARALLEL(GOMP_parallel, void, (void (*run)(void *), void *data, unsigned n, unsigned flags),
         n, flags)
PARALLEL(GOMP_parallel_sections, void,
         (void (*run)(void *), void *data, unsigned n, unsigned sections, unsigned flags),
         n, sections, flags)

#define PARALLEL_LOOP(name)                                                                        \
    PARALLEL(GOMP_parallel_loop_##name, void,                                                      \
             (void (*run)(void *), void *data, unsigned n, long first, long last, long step,       \
              long chunk, unsigned flags), n, first, last, step, chunk, flags)
#define PARALLEL_LOOP_WITHOUT_CHUNK(name)                                                          \
    PARALLEL(GOMP_parallel_loop_##name, void,                                                      \
             (void (*run)(void *), void *data, unsigned n, long first, long last, long step,       \
              unsigned flags), n, first, last, step, flags)

PARALLEL_LOOP(static)
PARALLEL_LOOP(dynamic)
PARALLEL_LOOP(guided)
PARALLEL_LOOP(nonmonotonic_dynamic)
PARALLEL_LOOP(nonmonotonic_guided)
PARALLEL_LOOP_WITHOUT_CHUNK(runtime)
PARALLEL_LOOP_WITHOUT_CHUNK(nonmonotonic_runtime)
PARALLEL_LOOP_WITHOUT_CHUNK(maybe_nonmonotonic_runtime)
/* clang-format on */

unsigned GOMP_parallel_reductions(void (*run)(void *), void *data, unsigned n, unsigned flags);

EXPORT unsigned GOMP_parallel_reductions(void (*run)(void *), void *data, unsigned n,
                                         unsigned flags)
{
    struct team of = {run, data, tern_check_threads_fork(), 0, 0, 0, 0};
    unsigned result = NEXT(GOMP_parallel_reductions)(run_member, &of, n, flags);

    end_region(&of);
    return result;
}

/* ---- barriers ---- */

static void arrive(void)
{
    tern_check_threads_release(&my_team()->barrier);
}

/* The tasks of the team have ended. */
static void leave(void)
{
    tern_check_threads_acquire(&my_team()->barrier);
    tern_check_threads_acquire(&my_team()->tasks);
}

/* clang-format off */
#define BARRIER(name)                                                                              \
    void name(void);                                                                               \
    EXPORT void name(void)                                                                         \
    {                                                                                              \
        arrive();                                                                                  \
        NEXT(name)();                                                                              \
        leave();                                                                                   \
    }

#define BARRIER_CANCEL(name)                                                                       \
    bool name(void);                                                                               \
    EXPORT bool name(void)                                                                         \
    {                                                                                              \
        bool result;                                                                               \
                                                                                                   \
        arrive();                                                                                  \
        result = NEXT(name)();                                                                     \
        leave();                                                                                   \
        return result;                                                                             \
    }

BARRIER(GOMP_barrier)
BARRIER(GOMP_loop_end)
BARRIER(GOMP_sections_end)
BARRIER_CANCEL(GOMP_barrier_cancel)
BARRIER_CANCEL(GOMP_loop_end_cancel)
BARRIER_CANCEL(GOMP_sections_end_cancel)

/* ---- locks ---- */

static char critical, atomic;

#define BEGINS(name, parameters, object, ...)                                                      \
    void name parameters;                                                                          \
    EXPORT void name parameters                                                                    \
    {                                                                                              \
        NEXT(name)(__VA_ARGS__);                                                                   \
        tern_check_threads_acquire(object);                                                        \
    }

#define ENDS(name, parameters, object, ...)                                                        \
    void name parameters;                                                                          \
    EXPORT void name parameters                                                                    \
    {                                                                                              \
        tern_check_threads_release(object);                                                        \
        NEXT(name)(__VA_ARGS__);                                                                   \
    }

BEGINS(GOMP_critical_start, (void), &critical)
ENDS(GOMP_critical_end, (void), &critical)
BEGINS(GOMP_critical_name_start, (void **name), name, name)
ENDS(GOMP_critical_name_end, (void **name), name, name)
BEGINS(GOMP_atomic_start, (void), &atomic)
ENDS(GOMP_atomic_end, (void), &atomic)
BEGINS(GOMP_ordered_start, (void), &my_team()->ordered)
ENDS(GOMP_ordered_end, (void), &my_team()->ordered)
ENDS(GOMP_doacross_post, (long *counts), &my_team()->ordered, counts)
BEGINS(omp_set_lock, (void *lock), lock, lock)
ENDS(omp_unset_lock, (void *lock), lock, lock)
BEGINS(omp_set_nest_lock, (void *lock), lock, lock)
ENDS(omp_unset_nest_lock, (void *lock), lock, lock)
/* clang-format on */

/*
 * Takes as many numbers as the loops that it is in, all of type long. So few loops are nested so
 * deeply that the values behind the last number do no harm.
 */
#define NUMBERS long a, long b, long c, long d, long e, long f, long g, long h
void GOMP_doacross_wait(NUMBERS);

EXPORT void GOMP_doacross_wait(NUMBERS)
{
    NEXT(GOMP_doacross_wait)(a, b, c, d, e, f, g, h);
    tern_check_threads_acquire(&my_team()->ordered);
}

int omp_test_lock(void *lock);
int omp_test_nest_lock(void *lock);

EXPORT int omp_test_lock(void *lock)
{
    int result = NEXT(omp_test_lock)(lock);

    if (result)
        tern_check_threads_acquire(lock);
    return result;
}

EXPORT int omp_test_nest_lock(void *lock)
{
    int result = NEXT(omp_test_nest_lock)(lock);

    if (result)
        tern_check_threads_acquire(lock);
    return result;
}

/* What one thread copies to the others, with `single copyprivate`. */
void *GOMP_single_copy_start(void);
void GOMP_single_copy_end(void *data);

EXPORT void *GOMP_single_copy_start(void)
{
    void *data = NEXT(GOMP_single_copy_start)();

    if (data)
        tern_check_threads_acquire(&my_team()->barrier);
    return data;
}

EXPORT void GOMP_single_copy_end(void *data)
{
    arrive();
    NEXT(GOMP_single_copy_end)(data);
}

/* ---- tasks ---- */

enum { TASK_DEPENDS = 8, TASK_DETACHES = 1 << 13 };

struct task {
    void (*run)(void *);
    struct team *team;
    uint64_t created;
    size_t bytes;
    bool depends; /* on tasks that have ended when it begins */
    char *data;
};

static struct task *make_task(void (*run)(void *), const void *data, void (*copy)(void *, void *),
                              long bytes, long alignment)
{
    struct task *task = malloc(sizeof *task);
    size_t room = ((size_t)bytes + 63) & ~(size_t)63;

    *task = (struct task){.run = run, .team = my_team(), .bytes = (size_t)bytes};
    task->created = tern_check_threads_fork();
    task->data = aligned_alloc(alignment > 64 ? (size_t)alignment : 64, room ? room : 64);
    if (copy)
        copy(task->data, (void *)(uintptr_t)data);
    else if (bytes)
        memcpy(task->data, data, (size_t)bytes);
    return task;
}

static void begin_task(const struct task *task)
{
    team = task->team;
    tern_check_threads_begin(task->created);
    if (task->depends)
        tern_check_threads_acquire(&task->team->tasks);
}

static void run_task(void *given)
{
    struct task *task = *(struct task **)given;
    struct team *before = team;

    begin_task(task);
    task->run(task->data);
    tern_check_threads_release(&task->team->tasks);
    team = before;
    free(task->data);
    free(task);
}

void GOMP_task(void (*run)(void *), void *data, void (*copy)(void *, void *), long bytes,
               long alignment, bool deferred, unsigned flags, void **depend, int priority,
               void *detach);

EXPORT void GOMP_task(void (*run)(void *), void *data, void (*copy)(void *, void *), long bytes,
                      long alignment, bool deferred, unsigned flags, void **depend, int priority,
                      void *detach)
{
    struct task *task;

    if (!tern_check_threads_count() || flags & TASK_DETACHES) {
        NEXT(GOMP_task)
        (run, data, copy, bytes, alignment, deferred, flags, depend, priority, detach);
        return;
    }
    task = make_task(run, data, copy, bytes, alignment);
    task->depends = flags & TASK_DEPENDS;
    NEXT(GOMP_task)
    (run_task, &task, NULL, sizeof task, sizeof task, deferred, flags, depend, priority, detach);
    if (!deferred)
        tern_check_threads_acquire(&my_team()->tasks);
}

/* A loop's tasks share what their data is copied from. libgomp writes their ranges in front. */
struct part {
    long first, last;
    struct task *task;
};

static void run_part(void *given)
{
    const struct part *part = given;
    struct team *before = team;
    char *data = aligned_alloc(64, (part->task->bytes + 63) & ~(size_t)63);

    memcpy(data, part->task->data, part->task->bytes);
    memcpy(data, part, 2 * sizeof part->first);
    begin_task(part->task);
    part->task->run(data);
    tern_check_threads_release(&part->task->team->tasks);
    team = before;
    free(data);
}

#define TASKLOOP(name, number)                                                                     \
    void name(void (*run)(void *), void *data, void (*copy)(void *, void *), long bytes,           \
              long alignment, unsigned flags, unsigned long n, int priority, number first,         \
              number last, number step);                                                           \
    EXPORT void name(void (*run)(void *), void *data, void (*copy)(void *, void *), long bytes,    \
                     long alignment, unsigned flags, unsigned long n, int priority, number first,  \
                     number last, number step)                                                     \
    {                                                                                              \
        struct part part;                                                                          \
                                                                                                   \
        if (!tern_check_threads_count() || flags & TASK_REDUCES) {                                 \
            NEXT(name)(run, data, copy, bytes, alignment, flags, n, priority, first, last, step);  \
            return;                                                                                \
        }                                                                                          \
        part.task = make_task(run, data, copy, bytes, alignment); /* not freed: parts may be left  \
                                                                     where it has no group */      \
        NEXT(name)                                                                                 \
        (run_part, &part, NULL, sizeof part, sizeof first, flags, n, priority, first, last, step); \
        tern_check_threads_acquire(&my_team()->tasks);                                             \
    }

enum { TASK_REDUCES = 1 << 12 };

/* clang-format off */
TASKLOOP(GOMP_taskloop, long)
TASKLOOP(GOMP_taskloop_ull, unsigned long long)

BEGINS(GOMP_taskwait, (void), &my_team()->tasks)
BEGINS(GOMP_taskwait_depend, (void **depend), &my_team()->tasks, depend)
BEGINS(GOMP_taskgroup_end, (void), &my_team()->tasks)
/* clang-format on */

/* SPDX-License-Identifier: BSD-3-Clause */
/* Wrappers of the threads, locks, conditions, barriers and semaphores of POSIX, C11 and C++. */
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <threads.h>
#include <time.h>

#include "tools/check/race/threads.h"

/* ---- threads ---- */

struct start {
    void *(*run)(void *);
    int (*run_c11)(void *);
    void *argument;
    uint64_t when;
};

/* Threads are named by their descriptors, which are addresses in glibc. */
static const void *name_of(pthread_t thread)
{
    return (const void *)thread;
}

static void end_thread(void *unused)
{
    tern_check_threads_end(name_of(pthread_self()));
}

static struct start *start_of(void *(*run)(void *), int (*run_c11)(void *), void *argument)
{
    uint64_t when = tern_check_threads_fork();
    struct start *start = when ? malloc(sizeof *start) : NULL;

    if (start)
        *start = (struct start){run, run_c11, argument, when};
    return start;
}

static void *run(void *given)
{
    struct start start = *(struct start *)given;
    void *result;

    free(given);
    tern_check_threads_begin(start.when);
    pthread_cleanup_push(end_thread, NULL);
    result = start.run(start.argument);
    pthread_cleanup_pop(1);
    return result;
}

static int run_c11(void *given)
{
    struct start start = *(struct start *)given;
    int result;

    free(given);
    tern_check_threads_begin(start.when);
    pthread_cleanup_push(end_thread, NULL);
    result = start.run_c11(start.argument);
    pthread_cleanup_pop(1);
    return result;
}

EXPORT int pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                          void *(*function)(void *), void *argument)
{
    struct start *start = start_of(function, NULL, argument);

    if (!start)
        return NEXT(pthread_create)(thread, attributes, function, argument);
    return NEXT(pthread_create)(thread, attributes, run, start);
}

EXPORT int thrd_create(thrd_t *thread, thrd_start_t function, void *argument)
{
    struct start *start = start_of(NULL, function, argument);

    if (!start)
        return NEXT(thrd_create)(thread, function, argument);
    return NEXT(thrd_create)(thread, run_c11, start);
}

static int joined(int error, pthread_t thread)
{
    if (error == 0) {
        tern_check_threads_acquire(name_of(thread));
        tern_check_threads_forget(name_of(thread));
    }
    return error;
}

EXPORT int pthread_join(pthread_t thread, void **result)
{
    return joined(NEXT(pthread_join)(thread, result), thread);
}

EXPORT int pthread_tryjoin_np(pthread_t thread, void **result)
{
    return joined(NEXT(pthread_tryjoin_np)(thread, result), thread);
}

EXPORT int pthread_timedjoin_np(pthread_t thread, void **result, const struct timespec *until)
{
    return joined(NEXT(pthread_timedjoin_np)(thread, result, until), thread);
}

EXPORT int thrd_join(thrd_t thread, int *result)
{
    return joined(NEXT(thrd_join)(thread, result), thread);
}

/* ---- locks ---- */

/* Returns the result after acquiring, if it is the one of success. */
static int acquired(int result, int success, const void *object)
{
    if (result == success || result == EOWNERDEAD)
        tern_check_threads_acquire(object);
    return result;
}

/* clang-format off */
#define TAKES(name, type, success, parameters, ...)                                                \
    EXPORT int name parameters                                                                     \
    {                                                                                              \
        return acquired(NEXT(name)(__VA_ARGS__), success, object);                                 \
    }

#define DROPS(name, type)                                                                          \
    EXPORT int name(type *object)                                                                  \
    {                                                                                              \
        tern_check_threads_release((const void *)object);                                          \
        return NEXT(name)(object);                                                                 \
    }

#define ENDS(name, type)                                                                           \
    EXPORT int name(type *object)                                                                  \
    {                                                                                              \
        tern_check_threads_forget((const void *)object);                                           \
        return NEXT(name)(object);                                                                 \
    }

#define UNTIL const struct timespec *until

TAKES(pthread_mutex_lock, pthread_mutex_t, 0, (pthread_mutex_t *object), object)
TAKES(pthread_mutex_trylock, pthread_mutex_t, 0, (pthread_mutex_t *object), object)
TAKES(pthread_mutex_timedlock, pthread_mutex_t, 0, (pthread_mutex_t *object, UNTIL), object, until)
DROPS(pthread_mutex_unlock, pthread_mutex_t)
ENDS(pthread_mutex_destroy, pthread_mutex_t)

TAKES(pthread_rwlock_rdlock, pthread_rwlock_t, 0, (pthread_rwlock_t *object), object)
TAKES(pthread_rwlock_tryrdlock, pthread_rwlock_t, 0, (pthread_rwlock_t *object), object)
TAKES(pthread_rwlock_timedrdlock, pthread_rwlock_t, 0, (pthread_rwlock_t *object, UNTIL),
      object, until)
TAKES(pthread_rwlock_wrlock, pthread_rwlock_t, 0, (pthread_rwlock_t *object), object)
TAKES(pthread_rwlock_trywrlock, pthread_rwlock_t, 0, (pthread_rwlock_t *object), object)
TAKES(pthread_rwlock_timedwrlock, pthread_rwlock_t, 0, (pthread_rwlock_t *object, UNTIL),
      object, until)
DROPS(pthread_rwlock_unlock, pthread_rwlock_t)
ENDS(pthread_rwlock_destroy, pthread_rwlock_t)

TAKES(sem_wait, sem_t, 0, (sem_t *object), object)
TAKES(sem_trywait, sem_t, 0, (sem_t *object), object)
TAKES(sem_timedwait, sem_t, 0, (sem_t *object, UNTIL), object, until)
DROPS(sem_post, sem_t)
ENDS(sem_destroy, sem_t)
/* clang-format on */

EXPORT int pthread_spin_lock(pthread_spinlock_t *object)
{
    return acquired(NEXT(pthread_spin_lock)(object), 0, (const void *)object);
}

EXPORT int pthread_spin_trylock(pthread_spinlock_t *object)
{
    return acquired(NEXT(pthread_spin_trylock)(object), 0, (const void *)object);
}

EXPORT int pthread_spin_unlock(pthread_spinlock_t *object)
{
    tern_check_threads_release((const void *)object);
    return NEXT(pthread_spin_unlock)(object);
}

EXPORT int mtx_lock(mtx_t *object)
{
    return acquired(NEXT(mtx_lock)(object), thrd_success, object);
}

EXPORT int mtx_trylock(mtx_t *object)
{
    return acquired(NEXT(mtx_trylock)(object), thrd_success, object);
}

EXPORT int mtx_timedlock(mtx_t *object, const struct timespec *until)
{
    return acquired(NEXT(mtx_timedlock)(object, until), thrd_success, object);
}

EXPORT int mtx_unlock(mtx_t *object)
{
    tern_check_threads_release(object);
    return NEXT(mtx_unlock)(object);
}

EXPORT void mtx_destroy(mtx_t *object)
{
    tern_check_threads_forget(object);
    NEXT(mtx_destroy)(object);
}

/* ---- conditions ---- */

/* The thread has the lock again, also where it has waited in vain. */
static int waited(int result, const void *condition, const void *lock)
{
    tern_check_threads_acquire(lock);
    tern_check_threads_acquire(condition);
    return result;
}

EXPORT int pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *lock)
{
    tern_check_threads_release(lock);
    return waited(NEXT(pthread_cond_wait)(condition, lock), condition, lock);
}

EXPORT int pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *lock,
                                  const struct timespec *until)
{
    tern_check_threads_release(lock);
    return waited(NEXT(pthread_cond_timedwait)(condition, lock, until), condition, lock);
}

EXPORT int cnd_wait(cnd_t *condition, mtx_t *lock)
{
    tern_check_threads_release(lock);
    return waited(NEXT(cnd_wait)(condition, lock), condition, lock);
}

EXPORT int cnd_timedwait(cnd_t *condition, mtx_t *lock, const struct timespec *until)
{
    tern_check_threads_release(lock);
    return waited(NEXT(cnd_timedwait)(condition, lock, until), condition, lock);
}

/* glibc has these since version 2.30. */
int pthread_mutex_clocklock(pthread_mutex_t *lock, clockid_t clock, const struct timespec *until);
int pthread_cond_clockwait(pthread_cond_t *condition, pthread_mutex_t *lock, clockid_t clock,
                           const struct timespec *until);
int sem_clockwait(sem_t *semaphore, clockid_t clock, const struct timespec *until);

EXPORT int pthread_mutex_clocklock(pthread_mutex_t *lock, clockid_t clock,
                                   const struct timespec *until)
{
    return acquired(NEXT(pthread_mutex_clocklock)(lock, clock, until), 0, lock);
}

EXPORT int pthread_cond_clockwait(pthread_cond_t *condition, pthread_mutex_t *lock, clockid_t clock,
                                  const struct timespec *until)
{
    tern_check_threads_release(lock);
    return waited(NEXT(pthread_cond_clockwait)(condition, lock, clock, until), condition, lock);
}

EXPORT int sem_clockwait(sem_t *semaphore, clockid_t clock, const struct timespec *until)
{
    return acquired(NEXT(sem_clockwait)(semaphore, clock, until), 0, semaphore);
}

/* clang-format off */
DROPS(pthread_cond_signal, pthread_cond_t)
DROPS(pthread_cond_broadcast, pthread_cond_t)
DROPS(cnd_signal, cnd_t)
DROPS(cnd_broadcast, cnd_t)
/* clang-format on */

/* ---- barriers, and what happens once ---- */

EXPORT int pthread_barrier_wait(pthread_barrier_t *barrier)
{
    int result;

    tern_check_threads_release(barrier);
    result = NEXT(pthread_barrier_wait)(barrier);
    tern_check_threads_acquire(barrier);
    return result;
}

static __thread struct {
    void (*run)(void);
    const void *object;
} once;

static void run_once(void)
{
    const void *object = once.object;

    once.run();
    tern_check_threads_release(object);
}

EXPORT int pthread_once(pthread_once_t *object, void (*function)(void))
{
    int result;

    once.run = function;
    once.object = object;
    result = NEXT(pthread_once)(object, run_once);
    tern_check_threads_acquire(object);
    return result;
}

EXPORT void call_once(once_flag *object, void (*function)(void))
{
    once.run = function;
    once.object = object;
    NEXT(call_once)(object, run_once);
    tern_check_threads_acquire(object);
}

/* C++: the initialization of a static object in a function. */
int __cxa_guard_acquire(uint64_t *guard);
void __cxa_guard_release(uint64_t *guard);

EXPORT int __cxa_guard_acquire(uint64_t *guard)
{
    int result = NEXT(__cxa_guard_acquire)(guard);

    tern_check_threads_acquire(guard);
    return result;
}

EXPORT void __cxa_guard_release(uint64_t *guard)
{
    tern_check_threads_release(guard);
    NEXT(__cxa_guard_release)(guard);
}

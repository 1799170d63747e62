/* SPDX-License-Identifier: BSD-3-Clause */
/* Threads of a PE, made by pthread_create() or thrd_create(). */
#include "collection.h"

#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <threads.h>

static long a[N], word, flag;

static void *put_two(void *unused)
{
    shmem_long_p(&a[1], 2, next);
    return NULL;
}

WRONG(two_putting)
{
    pthread_t thread;

    pthread_create(&thread, NULL, put_two, NULL);
    shmem_long_p(&a[1], 1, next);
    pthread_join(thread, NULL);
}

RIGHT(one_after_the_other)
{
    pthread_t thread;

    pthread_create(&thread, NULL, put_two, NULL);
    pthread_join(thread, NULL);
    shmem_quiet();
    shmem_long_p(&a[1], 1, next);
}

static void *store(void *unused)
{
    a[2] = 1;
    return NULL;
}

WRONG(before_join)
{
    pthread_t thread;

    pthread_create(&thread, NULL, store, NULL);
    use(a[2]);
    pthread_join(thread, NULL);
}

RIGHT(before_create_after_join)
{
    pthread_t thread;

    a[2] = 0;
    pthread_create(&thread, NULL, store, NULL);
    pthread_join(thread, NULL);
    use(a[2]);
}

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER, other_lock = PTHREAD_MUTEX_INITIALIZER;

static void *add_locked(void *mutex)
{
    pthread_mutex_lock((pthread_mutex_t *)mutex);
    word++;
    pthread_mutex_unlock((pthread_mutex_t *)mutex);
    return NULL;
}

WRONG(two_locks)
{
    pthread_t thread;

    pthread_create(&thread, NULL, add_locked, &other_lock);
    pthread_mutex_lock(&lock);
    word++;
    pthread_mutex_unlock(&lock);
    pthread_join(thread, NULL);
}

RIGHT(one_lock)
{
    pthread_t thread;

    pthread_create(&thread, NULL, add_locked, &lock);
    pthread_mutex_lock(&lock);
    word++;
    pthread_mutex_unlock(&lock);
    pthread_join(thread, NULL);
}

static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int is_ready;

static void *make_ready(void *unused)
{
    a[3] = 1;
    pthread_mutex_lock(&lock);
    is_ready = 1;
    pthread_cond_signal(&condition);
    pthread_mutex_unlock(&lock);
    return NULL;
}

static void *store_late(void *unused)
{
    pthread_mutex_lock(&lock);
    is_ready = 1;
    pthread_cond_signal(&condition);
    pthread_mutex_unlock(&lock);
    a[3] = 1;
    return NULL;
}

static void wait_ready(void *(*run)(void *))
{
    pthread_t thread;

    is_ready = 0;
    pthread_create(&thread, NULL, run, NULL);
    pthread_mutex_lock(&lock);
    while (!is_ready)
        pthread_cond_wait(&condition, &lock);
    pthread_mutex_unlock(&lock);
    use(a[3]);
    pthread_join(thread, NULL);
}

RIGHT(condition)
{
    wait_ready(make_ready);
}

static pthread_barrier_t barrier;

static void *at_barrier(void *is_early)
{
    if (is_early)
        a[4] = 1;
    pthread_barrier_wait(&barrier);
    if (!is_early)
        a[4] = 1;
    return NULL;
}

static void meet_thread(void *is_early)
{
    pthread_t thread;

    pthread_barrier_init(&barrier, NULL, 2);
    pthread_create(&thread, NULL, at_barrier, is_early);
    pthread_barrier_wait(&barrier);
    use(a[4]);
    pthread_join(thread, NULL);
    pthread_barrier_destroy(&barrier);
}

RIGHT(barrier)
{
    meet_thread(&barrier);
}

static sem_t ready;

static void *post(void *is_early)
{
    if (is_early)
        a[5] = 1;
    sem_post(&ready);
    if (!is_early)
        a[5] = 1;
    return NULL;
}

RIGHT(semaphore)
{
    pthread_t thread;

    sem_init(&ready, 0, 0);
    pthread_create(&thread, NULL, post, &ready);
    sem_wait(&ready);
    use(a[5]);
    pthread_join(thread, NULL);
    sem_destroy(&ready);
}

static pthread_rwlock_t door = PTHREAD_RWLOCK_INITIALIZER;

static void *read_door(void *unused)
{
    pthread_rwlock_rdlock(&door);
    use(a[6]);
    pthread_rwlock_unlock(&door);
    return NULL;
}

WRONG(read_lock_is_not_enough)
{
    pthread_t thread;

    pthread_create(&thread, NULL, read_door, NULL);
    a[6] = 1;
    pthread_join(thread, NULL);
}

RIGHT(read_write_lock)
{
    pthread_t thread;

    pthread_create(&thread, NULL, read_door, NULL);
    pthread_rwlock_wrlock(&door);
    a[6] = 1;
    pthread_rwlock_unlock(&door);
    pthread_join(thread, NULL);
}

static mtx_t c11_lock;

static int add_c11(void *locked)
{
    if (locked)
        mtx_lock(&c11_lock);
    a[7]++;
    if (locked)
        mtx_unlock(&c11_lock);
    return 0;
}

WRONG(c11_threads)
{
    thrd_t thread;

    thrd_create(&thread, add_c11, NULL);
    a[7]++;
    thrd_join(thread, NULL);
}

RIGHT(c11_threads)
{
    thrd_t thread;

    mtx_init(&c11_lock, mtx_plain);
    thrd_create(&thread, add_c11, &c11_lock);
    mtx_lock(&c11_lock);
    a[7]++;
    mtx_unlock(&c11_lock);
    thrd_join(thread, NULL);
    mtx_destroy(&c11_lock);
}

static atomic_int is_set;

static void *set_atomic(void *unused)
{
    a[8] = 1;
    atomic_store(&is_set, 1);
    return NULL;
}

RIGHT(atomic_flag)
{
    pthread_t thread;

    atomic_store(&is_set, 0);
    pthread_create(&thread, NULL, set_atomic, NULL);
    while (!atomic_load(&is_set))
        sched_yield();
    use(a[8]);
    pthread_join(thread, NULL);
}

WRONG(flag_not_waited_for)
{
    pthread_t thread;

    atomic_store(&is_set, 0);
    pthread_create(&thread, NULL, set_atomic, NULL);
    use(a[8]);
    pthread_join(thread, NULL);
}

/* One thread waits for the flag, and the other one reads the data. */
static void *wait_flag(void *unused)
{
    shmem_long_wait_until(&flag, SHMEM_CMP_EQ, 1);
    return NULL;
}

static void send(void)
{
    long own[N] = {0};

    flag = 0;
    meet();
    if (me == 0) {
        shmem_long_put(a + 9, own, 2, 1);
        shmem_fence();
        shmem_long_atomic_set(&flag, 1, 1);
    }
}

WRONG(other_thread_waits)
{
    pthread_t thread;

    send();
    if (me != 1)
        return;
    pthread_create(&thread, NULL, wait_flag, NULL);
    use(a[10]);
    pthread_join(thread, NULL);
}

RIGHT(other_thread_waits)
{
    pthread_t thread;

    send();
    if (me != 1)
        return;
    pthread_create(&thread, NULL, wait_flag, NULL);
    pthread_join(thread, NULL);
    use(a[10]);
}

static void *put_own(void *number)
{
    shmem_long_p(&a[(long)(intptr_t)number], me, next);
    return NULL;
}

WRONG(same_element)
{
    pthread_t threads[2];

    for (intptr_t i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, put_own, (void *)(intptr_t)11);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
}

RIGHT(own_elements)
{
    pthread_t threads[2];

    for (intptr_t i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, put_own, (void *)(12 + i));
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
}

/* These come last: their loads are the second access of a thread above. */
WRONG(signalled_too_early)
{
    wait_ready(store_late);
}

WRONG(after_the_barrier)
{
    meet_thread(NULL);
}

WRONG(posted_too_early)
{
    pthread_t thread;

    sem_init(&ready, 0, 0);
    pthread_create(&thread, NULL, post, NULL);
    sem_wait(&ready);
    use(a[5]);
    pthread_join(thread, NULL);
    sem_destroy(&ready);
}

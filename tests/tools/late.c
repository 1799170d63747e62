/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * late CASE: PEs that make others wait for a tenth of a second, in ways that a profile must
 * distinguish.
 */
#include <shmem.h>

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { LATE_NS = 100000000 };

static int me, n;
static long flags[16], value;

static void sleep_ns(long ns)
{
    nanosleep(&(struct timespec){0, ns}, NULL);
}

/* The last PE comes late with its flag, the others at once. */
static void raise_flag(void)
{
    if (me == n - 1)
        sleep_ns(LATE_NS);
    if (me > 0)
        shmem_long_atomic_set(&flags[me], 1, 0);
}

/* PE 0 waits for all, but for its own flag, which nobody raises. */
static void all(void)
{
    int status[16] = {1};

    raise_flag();
    if (me == 0)
        shmem_long_wait_until_all(flags, (size_t)n, status, SHMEM_CMP_EQ, 1);
}

static void all_vector(void)
{
    long values[16] = {0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};

    raise_flag();
    if (me == 0)
        shmem_long_wait_until_all_vector(flags, (size_t)n, NULL, SHMEM_CMP_EQ, values);
}

/* One after the other, until all have come. */
static void any(void)
{
    int status[16] = {1};

    raise_flag();
    for (int left = n - 1; me == 0 && left > 0; left--)
        status[shmem_long_wait_until_any(flags, (size_t)n, status, SHMEM_CMP_EQ, 1)] = 1;
}

static void some(void)
{
    int status[16] = {1};
    size_t indices[16];

    raise_flag();
    for (size_t left = (size_t)n - 1; me == 0 && left > 0;) {
        size_t found =
            shmem_long_wait_until_some(flags, (size_t)n, indices, status, SHMEM_CMP_EQ, 1);

        for (size_t i = 0; i < found; i++)
            status[indices[i]] = 1;
        left -= found;
    }
}

/* PE 0 is late for an allocation, PE 1 for the end of a team, the last PE for a block's end. */
static void resources(void)
{
    shmem_team_t team;
    long *block;

    shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, n, NULL, 0, &team);
    if (me == 0)
        sleep_ns(LATE_NS);
    block = shmem_malloc(sizeof *block);
    if (me == 1)
        sleep_ns(LATE_NS);
    shmem_team_destroy(team);
    shmem_barrier_all(); /* the end of a team need not wait for its PEs */
    if (me == n - 1)
        sleep_ns(LATE_NS);
    shmem_free(block);
}

/* What has no barrier is no meeting, whoever calls it. */
static void nothing(void)
{
    for (int i = 0; i < me; i++) {
        shmem_free(NULL);
        shmem_team_destroy(SHMEM_TEAM_INVALID);
    }
    if (me == 1)
        sleep_ns(LATE_NS);
    shmem_barrier_all();
}

/* The program goes on without OpenSHMEM, and then with it again. */
static void again(void)
{
    shmem_long_p(&value, 1, (me + 1) % n);
    shmem_finalize();
    sleep_ns(3 * LATE_NS);
    shmem_init();
    shmem_long_p(&value, 2, (me + 1) % n);
    if (me == 1)
        sleep_ns(LATE_NS);
    shmem_barrier_all();
}

/* More places than the table of them has room for. */
static void places(void)
{
#define FOUR(call) call call call call
#define PUT shmem_char_p((char *)&value, 0, me);
    FOUR(FOUR(FOUR(FOUR(FOUR(PUT)))))
    FOUR(FOUR(PUT))
}

static void *put_late(void *unused)
{
    for (int i = 0; i < 5; i++)
        shmem_long_p(&value, 1, (me + 1) % n);
    sleep_ns(LATE_NS);
    return NULL;
}

/* Another thread makes calls, and the main one waits for its end. */
static void beside(void)
{
    pthread_t thread;

    if (pthread_create(&thread, NULL, put_late, NULL) == 0)
        pthread_join(thread, NULL);
}

enum { CREW = 3 };
static long starts[CREW + 1];

/* Thread i puts i numbers, then waits for PE me's main thread, which makes no call meanwhile. */
static void *put_and_wait(void *number)
{
    long i = (intptr_t)number;

    for (long j = 0; j < i; j++)
        shmem_long_p(&value, j, (me + 1) % n);
    shmem_long_wait_until(&starts[i], SHMEM_CMP_EQ, 1);
    return NULL;
}

/* Threads make calls at the same time, one of them the main one. */
static void crew(void)
{
    pthread_t threads[CREW];

    for (long i = 0; i < CREW; i++)
        pthread_create(&threads[i], NULL, put_and_wait, (void *)(intptr_t)(i + 1));
    sleep_ns(LATE_NS);
    for (long i = 1; i <= CREW; i++)
        shmem_long_atomic_set(&starts[i], 1, me);
    for (int i = 0; i < CREW; i++)
        pthread_join(threads[i], NULL);
}

static void *put_once(void *unused)
{
    shmem_char_p((char *)&value, 0, me);
    return NULL;
}

/* More threads than are told apart, one after the other. */
static void crowd(void)
{
    for (int i = 0; i < 1030; i++) {
        pthread_t thread;

        if (pthread_create(&thread, NULL, put_once, NULL) == 0)
            pthread_join(thread, NULL);
    }
}

static void *initialize(void *unused)
{
    pthread_t thread;
    int provided;

    shmem_init_thread(SHMEM_THREAD_MULTIPLE, &provided);
    shmem_long_p(&value, 1, (me + 1) % n);
    if (pthread_create(&thread, NULL, put_once, NULL) == 0)
        pthread_join(thread, NULL);
    shmem_finalize();
    return NULL;
}

/* Another thread goes on with OpenSHMEM, and has others beside it. */
static void handed(void)
{
    pthread_t thread;

    shmem_finalize();
    if (pthread_create(&thread, NULL, initialize, NULL) == 0)
        pthread_join(thread, NULL);
    exit(0);
}

static const struct {
    const char *name;
    void (*run)(void);
} cases[] = {
    {"all", all},     {"all_vector", all_vector}, {"any", any},
    {"some", some},   {"nothing", nothing},       {"resources", resources},
    {"again", again}, {"places", places},         {"beside", beside},
    {"crew", crew},   {"crowd", crowd},           {"handed", handed},
};

int main(int argc, char **argv)
{
    bool known = false;
    int provided;

    shmem_init_thread(SHMEM_THREAD_MULTIPLE, &provided);
    me = shmem_my_pe();
    n = shmem_n_pes();
    shmem_barrier_all();
    for (size_t i = 0; argc > 1 && i < sizeof cases / sizeof *cases; i++)
        if (strcmp(argv[1], cases[i].name) == 0) {
            known = true;
            cases[i].run();
        }
    shmem_finalize();
    return !known;
}

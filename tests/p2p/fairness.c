/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Series of calls that wait for or test any one of an array's variables, alternating and from
 * several threads.
 */
#include "harness/check.h"

#include <pthread.h>

#if SHMEM_AT_LEAST(1, 5)

enum {
    MOST_SERIES = 5,
    MOST_NELEMS = 8,
    FORMS = 4,
    THREADS = 2,
    CALLS = 100, /* for each entry of a series */
};

/* One array, whose entries are all satisfied, and the calls that were made with it. */
struct series {
    long *ivars;
    size_t nelems;
    long returned[MOST_NELEMS]; /* how often each index was */
};

static long arrays[THREADS][MOST_SERIES][MOST_NELEMS];
static const long ones[MOST_NELEMS] = {1, 1, 1, 1, 1, 1, 1, 1};

static size_t call(int form, const struct series *series)
{
    switch (form) {
    case 0:
        return shmem_long_wait_until_any(series->ivars, series->nelems, NULL, SHMEM_CMP_EQ, 1);
    case 1:
        return shmem_long_test_any(series->ivars, series->nelems, NULL, SHMEM_CMP_EQ, 1);
    case 2:
        return shmem_long_wait_until_any_vector(series->ivars, series->nelems, NULL, SHMEM_CMP_EQ,
                                                ones);
    default:
        return shmem_long_test_any_vector(series->ivars, series->nelems, NULL, SHMEM_CMP_EQ, ones);
    }
}

static void check_each_returned(const struct series *series, const char *name)
{
    for (size_t i = 0; i < series->nelems; i++)
        check(series->returned[i] > 0, name, "index %zu was never returned", i);
}

/* n_series of them, one call each in turn; form FORMS: the series take different forms. */
static void run_in_turn(int thread, int n_series, size_t nelems, int form)
{
    struct series all[MOST_SERIES] = {0};

    for (int s = 0; s < n_series; s++)
        all[s] = (struct series){.ivars = arrays[thread][s], .nelems = nelems};
    for (size_t turn = 0; turn < CALLS * nelems; turn++)
        for (int s = 0; s < n_series; s++) {
            size_t i = call(form == FORMS ? s % FORMS : form, &all[s]);

            if (!check(i < nelems, "any-returns-a-satisfied-entry", "returned %zu", i))
                return;
            all[s].returned[i]++;
        }
    for (int s = 0; s < n_series; s++)
        check_each_returned(&all[s], "any-is-fair-to-each-series");
}

static void run_each_number(int thread)
{
    static const int numbers[] = {1, 2, 5};
    static const size_t nelems[] = {2, 3, 5, MOST_NELEMS};

    for (size_t n = 0; n < sizeof numbers / sizeof *numbers; n++)
        for (size_t e = 0; e < sizeof nelems / sizeof *nelems; e++)
            for (int form = 0; form <= FORMS; form++) {
                if (thread == 0)
                    check_case("%d series of %zu entries, form %d", numbers[n], nelems[e], form);
                run_in_turn(thread, numbers[n], nelems[e], form);
            }
}

static void *run_thread(void *thread)
{
    run_each_number((int)(size_t)thread);
    return NULL;
}

static void run_threads(void)
{
    pthread_t others[THREADS];

    for (size_t t = 1; t < THREADS; t++)
        pthread_create(&others[t], NULL, run_thread, (void *)t);
    run_each_number(0);
    for (size_t t = 1; t < THREADS; t++)
        pthread_join(others[t], NULL);
}

int main(void)
{
    int provided;

    if (shmem_init_thread(SHMEM_THREAD_MULTIPLE, &provided) != 0)
        return 1;
    check_attach("p2p/fairness");
    for (int t = 0; t < THREADS; t++)
        for (int s = 0; s < MOST_SERIES; s++)
            for (int i = 0; i < MOST_NELEMS; i++)
                arrays[t][s][i] = 1;
    run_each_number(0);
    if (provided == SHMEM_THREAD_MULTIPLE)
        run_threads();
    return check_finish();
}

#else

int main(void)
{
    return 0;
}

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Programs with mistakes: the first argument is the name of a case, and with `right` as the second
 * one the mistake is left out. The line that oshrun --check must report ends with the case's name
 * in a comment.
 */
#ifndef TESTS_TOOLS_CASES_H
#define TESTS_TOOLS_CASES_H

#include <shmem.h>

#include <pthread.h>
#include <stdio.h>
#include <string.h>

static int right, me, n, last, next; /* the PEs that are the last, and behind this one */

struct mistake_case {
    const char *name;
    void (*run)(void); /* may end OpenSHMEM itself */
    int level;         /* of thread support */
};

#define CASE_AT(name, level)                                                                       \
    {                                                                                              \
#name, name, level                                                                         \
    }
#define CASE(name) CASE_AT(name, SHMEM_THREAD_SINGLE)

/* To its end, in another thread. */
static inline void run_in_thread(void *(*body)(void *))
{
    pthread_t thread;

    pthread_create(&thread, NULL, body, NULL);
    pthread_join(thread, NULL);
}

/* The program's status: a name that none of the cases has is an error. */
static inline int run_case(int argc, char **argv, const struct mistake_case *cases, size_t n_cases)
{
    int level, runs;
    size_t i = 0;

    while (argc > 1 && i < n_cases && strcmp(argv[1], cases[i].name) != 0)
        i++;
    if (argc < 2 || i == n_cases) {
        fprintf(stderr, "there is no case %s\n", argc < 2 ? "given" : argv[1]);
        return 2;
    }
    shmem_init_thread(cases[i].level, &level);
    me = shmem_my_pe();
    n = shmem_n_pes();
    last = n - 1;
    next = (me + 1) % n;
    right = argc > 2 && strcmp(argv[2], "right") == 0;
    cases[i].run();
    shmem_query_initialized(&runs);
    if (runs)
        shmem_finalize();
    return 0;
}

#endif

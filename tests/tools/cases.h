/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Programs with mistakes: the first argument is the name of a case, and with `right` as the second
 * one the mistake is left out.
 */
#ifndef TESTS_TOOLS_CASES_H
#define TESTS_TOOLS_CASES_H

#include <shmem.h>

#include <stdio.h>
#include <string.h>

static int right, me, n, last;

struct mistake_case {
    const char *name;
    void (*run)(void);
};

/* The program's status: a name that none of the cases has is an error. */
static inline int run_case(int argc, char **argv, const struct mistake_case *cases, size_t n_cases)
{
    size_t i = 0;

    while (argc > 1 && i < n_cases && strcmp(argv[1], cases[i].name) != 0)
        i++;
    if (argc < 2 || i == n_cases) {
        fprintf(stderr, "there is no case %s\n", argc < 2 ? "given" : argv[1]);
        return 2;
    }
    shmem_init();
    me = shmem_my_pe();
    n = shmem_n_pes();
    last = n - 1;
    right = argc > 2 && strcmp(argv[2], "right") == 0;
    cases[i].run();
    shmem_finalize();
    return 0;
}

#endif

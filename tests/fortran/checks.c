/* SPDX-License-Identifier: BSD-3-Clause */
/* The harness for Fortran programs, which have called SHMEM_INIT or START_PES themselves. */
#include <stdlib.h>

#include "harness/check.h"

void check_begin_(const char *program, size_t length);
void check_about_(const char *text, size_t length);
void check_that_(const int *holds, const char *name, size_t length);
void check_none_(const int *n, const char *name, size_t length);
void check_end_(void);

void check_begin_(const char *program, size_t length)
{
    static char copy[64];

    for (size_t i = 0; i < length && i + 1 < sizeof copy; i++)
        copy[i] = program[i];
    check_attach(copy);
}

/* What the checks that follow are about. */
void check_about_(const char *text, size_t length)
{
    check_case("%.*s", (int)length, text);
}

void check_that_(const int *holds, const char *name, size_t length)
{
    char copy[64] = "";

    for (size_t i = 0; i < length && i + 1 < sizeof copy; i++)
        copy[i] = name[i];
    check(*holds, copy, "does not hold");
}

/* n elements are wrong, which should be 0. */
void check_none_(const int *n, const char *name, size_t length)
{
    char copy[64] = "";

    for (size_t i = 0; i < length && i + 1 < sizeof copy; i++)
        copy[i] = name[i];
    check(*n == 0, copy, "%d elements are wrong", *n);
}

/* The end of the program: SHMEM_FINALIZE and the exit status. */
void check_end_(void)
{
    exit(check_finish());
}

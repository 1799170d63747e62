/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks that an object is symmetric by all kinds of accesses from other PEs. */
#ifndef SYSTEM_OBJECTS_H
#define SYSTEM_OBJECTS_H

#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define require(condition, what)                                                                   \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "%s:%d: %s: not %s\n", __FILE__, __LINE__, what, #condition);          \
            exit(90);                                                                              \
        }                                                                                          \
    } while (0)

/* The first and the last int of an object, on all PEs. What it held is lost. */
static inline void check_word(const char *what, int *word)
{
    int me = shmem_my_pe(), n = shmem_n_pes(), right = (me + 1) % n, left = (me + n - 1) % n;
    int seen = -1, *there;

    require(shmem_addr_accessible(word, right) == 1, what);
    shmem_barrier_all();
    shmem_int_p(word, 1000 + me, right);
    shmem_barrier_all();
    require(*word == 1000 + left, what);
    require(shmem_int_g(word, right) == 1000 + me, what);
    shmem_int_get(&seen, word, 1, left);
    require(seen == 1000 + (left + n - 1) % n, what);
    shmem_barrier_all();

    there = (int *)shmem_ptr(word, right);
    require(there != NULL && *there == 1000 + me, what);
    *there = 2000 + me;
    shmem_int_wait_until(word, SHMEM_CMP_EQ, 2000 + left);
    shmem_barrier_all();

    *word = 0;
    shmem_barrier_all();
    for (int i = 0; i < 100; i++)
        shmem_int_atomic_inc(word, 0);
    shmem_barrier_all();
    require(shmem_int_atomic_fetch(word, 0) == 100 * n, what);
    shmem_barrier_all();
    if (me == n - 1)
        shmem_int_atomic_set(word, 7, 0);
    if (me == 0)
        shmem_int_wait_until(word, SHMEM_CMP_EQ, 7);
    shmem_barrier_all();
}

static inline void check_object(const char *what, void *object, size_t bytes)
{
    check_word(what, (int *)object);
    check_word(what, (int *)((char *)object + bytes - sizeof(int)));
}

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * races_words CASE [right]: accesses to so many words that the check gathers them: loops over an
 * array, crowded lines, whole pages, more lines than cells. ONE and OTHER as in races.c.
 */
#include "cases.h"

#include <time.h>

enum { N = 512 };

static long data[N], copy[N], x;
static long own[N];

/* The later of two accesses, most likely: each order is a case of its own in the check. */
static void come_second(void)
{
    const struct timespec pause = {0, 50000000};

    if (right)
        shmem_barrier_all();
    else if (me == last)
        nanosleep(&pause, NULL);
}

static void words_in_a_loop(void)
{
    for (int i = 0; i < 64 && me == 0; i++)
        shmem_long_p(&data[i], i, last); /* ONE */
    come_second();
    for (int i = 127; i >= 0 && me == last; i--)
        own[0] += shmem_long_g(&data[i], last); /* OTHER */
}

static void atomics_in_a_loop(void)
{
    for (int i = 0; i < 64 && me == 0; i++)
        own[0] += shmem_long_atomic_fetch_add(&data[i], 1, last); /* ONE */
    come_second();
    for (int i = 127; i >= 0 && me == last; i--)
        shmem_long_p(&data[i], 1, last); /* OTHER */
}

/* More accesses to a line than its cell has room for: each has a time of its own. */
static void crowded_line(void)
{
    for (int i = 0; i < 8 && me == 0; i++) {
        own[i] = shmem_long_g(&data[i], last); /* ONE */
        shmem_long_atomic_add(&x, 1, last);
    }
    come_second();
    if (me == last)
        shmem_long_p(&data[1], 1, last); /* OTHER */
}

static void words_before_a_page(void)
{
    for (int i = 0; i < N && me == 0; i += 8)
        shmem_long_p(&data[i], i, last); /* ONE */
    come_second();
    if (me == last)
        shmem_long_put(data, own, N, last); /* OTHER */
}

/* The words are known before: the page is what is new. Its ends may be parts of lines. */
static void words_behind_a_page(void)
{
    for (int round = 0; round < 2; round++) {
        if (me == 0 && round == 1)
            shmem_long_put(data, own, N, last); /* ONE */
        come_second();
        for (int i = 64; i < N - 64 && me == last; i += 8)
            copy[i] += shmem_long_g(&data[i], last); /* OTHER */
        if (right || round == 0)
            shmem_barrier_all();
    }
}

/* More lines than cells, which most of them have to share. */
static void more_lines_than_cells(void)
{
    const size_t n = (size_t)3 << 20;
    long *many = shmem_malloc(n * sizeof *many);

    for (size_t i = 0; i < n && me == 0; i += 8)
        shmem_long_p(&many[i], 1, last); /* ONE */
    come_second();
    for (size_t i = n - 8; i < n && me == last; i++)
        shmem_long_p(&many[i], 1, last); /* OTHER */
    shmem_free(many);
}

int main(int argc, char **argv)
{
    static const struct mistake_case cases[] = {
        CASE(words_in_a_loop),     CASE(atomics_in_a_loop),   CASE(crowded_line),
        CASE(words_before_a_page), CASE(words_behind_a_page), CASE(more_lines_than_cells),
    };

    return run_case(argc, argv, cases, sizeof cases / sizeof *cases);
}

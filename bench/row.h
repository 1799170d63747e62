/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of measurements: a body is timed batch by batch; what the batches say is sorted and printed.
 */
#ifndef BENCH_ROW_H
#define BENCH_ROW_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plain.h"

#define ROW_BATCHES 1000 /* at most */

struct row {
    const char *name;
    void (*body)(void);
    int batches;
    int times;   /* that body runs in a batch */
    double work; /* units in one run: 0 for a latency */
    const char *unit;
};

/* What one run of that many seconds is in the row's unit: microseconds or work a second. */
static inline double row_figure(const struct row *row, double seconds)
{
    return row->work ? row->work / seconds : seconds * 1e6;
}

/* Prints "name unit best median p99 worst" of n batches, each given as the seconds of one run. */
static inline void row_print(const struct row *row, double *seconds)
{
    int n = row->batches;

    qsort(seconds, (size_t)n, sizeof *seconds, by_value);
    printf("%s %s %.3f %.3f %.3f %.3f\n", row->name, row->unit, row_figure(row, seconds[0]),
           row_figure(row, seconds[n / 2]), row_figure(row, seconds[n * 99 / 100]),
           row_figure(row, seconds[n - 1]));
    fflush(stdout);
}

static inline void row_measure(const struct row *row)
{
    static double seconds[ROW_BATCHES];

    row->body();
    for (int b = 0; b < row->batches; b++) {
        double from = now_ns();

        for (int i = 0; i < row->times; i++)
            row->body();
        seconds[b] = (now_ns() - from) * 1e-9 / row->times;
    }
    row_print(row, seconds);
}

/* Whether the user wants that row: all, if no names are given. */
static inline int row_wanted(const char *name, char **names)
{
    if (!*names)
        return 1;
    while (*names)
        if (!strcmp(name, *names++))
            return 1;
    return 0;
}

/* The rows that both programs have, alike: bodies are named as their rows. */
#define WINDOW 16                        /* large transfers under way at once */
#define RATE 1000                        /* small ones */
#define SMALL 10000                      /* small ones that may travel together */
#define RANDOM_WORDS (UINT64_C(1) << 20) /* that these go to */
#define LARGEST_SIZED 4096               /* bytes, in rows of the rate against the size */
#define SIZED_BATCHES 7

#define LATENCY(body)                                                                              \
    {                                                                                              \
#body, body, 200, 50, 0, "us"                                                              \
    }
#define BANDWIDTH(body)                                                                            \
    {                                                                                              \
#body, body, 60, 1, WINDOW, "MiB/s"                                                        \
    }
#define SMALL_RATE(body)                                                                           \
    {                                                                                              \
#body, body, 20, 1, SMALL, "op/s"                                                          \
    }
#define SINGLE_RATE(body)                                                                          \
    {                                                                                              \
#body, body, 20, 1, RATE, "op/s"                                                           \
    }
#define MESSAGE_RATE(body)                                                                         \
    {                                                                                              \
#body, body, 100, 1, RATE, "op/s"                                                          \
    }

#endif

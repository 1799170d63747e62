/* SPDX-License-Identifier: BSD-3-Clause */
/* What a soak prints: its progress, a failure and how to repeat it, and where a hang was. */
#ifndef SOAK_REPORT_H
#define SOAK_REPORT_H

#include "soak.h"

/* Before the first round: what repeats this run, but for its seed and round. */
void report_start(char **argv, unsigned threads, const char *chaos);

/* The round that runs from now on; after `limit` seconds in it, the program has hung. */
void report_round(const struct round *round, uint64_t seed, unsigned limit);

/* What this PE is about to do, for a failure or a hang; static text, and a number. */
void report_place(const char *what, uint64_t number);

/* Prints the failure and the command that repeats the round, and ends the job. Any thread. */
void report_failure(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));

#define expect(condition, ...)                                                                     \
    do {                                                                                           \
        if (!(condition))                                                                          \
            report_failure(__VA_ARGS__);                                                           \
    } while (0)

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* How the check says what it has found: one message for each mistake and place, and a count. */
#ifndef TERN_CHECK_FINDINGS_H
#define TERN_CHECK_FINDINGS_H

#include "tools/call.h"

/* What a message begins with; the words are in report/findings.c. */
enum tern_check_class {
    TERN_CHECK_BOUNDS,
    TERN_CHECK_FREED,
    TERN_CHECK_NOT_SYMMETRIC,
    TERN_CHECK_ALIGNMENT,
    TERN_CHECK_OVERLAP,
    TERN_CHECK_NULL,
    TERN_CHECK_TARGET,
    TERN_CHECK_FREE,
    TERN_CHECK_CTX,
    TERN_CHECK_TEAM,
    TERN_CHECK_THREAD,
    TERN_CHECK_LOCK,
    TERN_CHECK_PHASE,
    TERN_CHECK_ALLOCATION,
    TERN_CHECK_COLLECTIVE,
    TERN_CHECK_WORK_ARRAY,
    TERN_CHECK_HANG,
    TERN_CHECK_RACE,
    TERN_CHECK_MIXED,
    TERN_CHECK_BUFFER,
    TERN_CHECK_N_CLASSES
};

/* What a PE prints, it prints by one write of so many bytes at most. */
#define TERN_CHECK_MESSAGE_BYTES 4096

/* Reads the settings; the first call does. */
void tern_check_report_start(void);

/* Once the PE's number is known: settings that can't be end the process. */
void tern_check_report_open(void);

/*
 * Says what is wrong with a call: the class, the call with its arguments and place, and then the
 * lines of the formatted text, which says more. Each class is told once of each place, and counted
 * after that; of the PEs of a machine that make the same mistake one tells it. call may be NULL for
 * what no call is to blame for; each such text counts as a place of its own. Ends the job if the
 * user wants it to stop.
 */
void tern_check_report(const struct tern_call *call, enum tern_check_class class,
                       const char *format, ...) __attribute__((format(printf, 3, 4)));

/*
 * The same of a mistake that two calls make together, each pair of places once: other is that of
 * the call which is not this one. Before, to see whether that was told, and count it then:
 */
bool tern_check_report_again(const struct tern_call *call, enum tern_check_class class,
                             const char *other);
void tern_check_report_of_two(const struct tern_call *call, enum tern_check_class class,
                              const char *other, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Whether races are to be looked for. */
bool tern_check_report_wants_races(void);

/* How many mistakes this PE has reported or counted. */
unsigned long tern_check_n_found(void);

/*
 * One thing that the program has left to the library's end: no mistake, but worth a line. They are
 * printed together at the end.
 */
void tern_check_report_left(const char *format, ...) __attribute__((format(printf, 1, 2)));

/*
 * Prints what is left, and sums up what this PE has found; nothing if it has told nothing. Then,
 * when all PEs have come to that, who else has made what it has told.
 */
void tern_check_report_end(void);
void tern_check_report_others(void);

/* A message of its own, on standard error by one write; the format has the newlines. */
void tern_check_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The call as C has it, with the names of the arguments: "shmem_malloc(size=80)". */
void tern_check_format_call(const struct tern_call *call, char *text, size_t size);

#endif

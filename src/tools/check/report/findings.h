/* SPDX-License-Identifier: BSD-3-Clause */
/* How the check says what it has found: one message for each mistake and place, and a count. */
#ifndef TERN_CHECK_FINDINGS_H
#define TERN_CHECK_FINDINGS_H

#include "tools/call.h"

/* What can be wrong; findings.def has the titles. */
enum tern_check_finding {
#define FINDING(name, scope, title, does) FINDING_##name,
#include "tools/check/report/findings.def"
#undef FINDING
    N_FINDINGS
};

/* What a PE prints, it prints by one write of so many bytes at most. */
#define MAX_MESSAGE 4096

/* Reads the settings; the first call does. */
void tern_check_findings_start(void);

/* Once the PE's number is known: settings that can't be end the process. */
void tern_check_findings_open(void);

/*
 * Says what is wrong with a call: the kind, the call with its arguments and place, and then the
 * lines of the formatted text, which says more. Each kind is entry once of each place, and counted
 * after that; of the PEs of a machine that make the same mistake one tells it. call may be NULL for
 * what no call is to blame for; each such text counts as a place of its own. Ends the job if the
 * user wants it to stop.
 */
void tern_check_findings_report(const struct tern_call *call, enum tern_check_finding kind,
                                const char *format, ...) __attribute__((format(printf, 3, 4)));

/*
 * The same of a mistake that two calls make together, each pair of places once: other is that of
 * the call which is not this one. Before, to see whether that was entry, and count it then:
 */
bool tern_check_findings_count_again(const struct tern_call *call, enum tern_check_finding kind,
                                     const char *other);
void tern_check_findings_report_pair(const struct tern_call *call, enum tern_check_finding kind,
                                     const char *other, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Whether races are to be looked for. */
bool tern_check_findings_wants_races(void);

/* The words that a message about it begins with. */
const char *tern_check_findings_title(enum tern_check_finding kind);

/* How many mistakes this PE has reported or counted. */
unsigned long tern_check_findings_count(void);

/*
 * One thing that the program has left to the library's end: no mistake, but worth a line. They are
 * printed together at the end.
 */
void tern_check_findings_add_leak(const char *format, ...) __attribute__((format(printf, 1, 2)));

/*
 * Prints what is left, and sums up what this PE has found; nothing if it has entry nothing. Then,
 * when all PEs have come to that, who else has made what it has entry.
 */
void tern_check_findings_summarize(void);
void tern_check_findings_summarize_others(void);

/* A message of its own, on standard error by one write; the format has the newlines. */
void tern_check_findings_print(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The call as C has it, with the names of the arguments: "shmem_malloc(size=80)". */
void tern_check_findings_format_call(const struct tern_call *call, char *text, size_t size);

#endif

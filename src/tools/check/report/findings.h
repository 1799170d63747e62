/* SPDX-License-Identifier: BSD-3-Clause */
/* Reports findings: a message for each mistake and source location, and a count. */
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

/* bytes: a PE prints a message by one write, cut off here */
#define MAX_MESSAGE 4096

/* Reads the settings, when the tool is loaded, or when a library that is started earlier asks. */
void tern_check_findings_start(void);

/* After the PE's number is known: ends the process if a setting is invalid. */
void tern_check_findings_open(void);

/*
 * Reports a mistake: prints the title of its kind, the call with its arguments and source location,
 * and then the lines of the formatted text. Each kind is printed once per source location and
 * counted after that; if several PEs of a machine make the same mistake, one of them prints it.
 * call is NULL for a mistake that no single call has made; each of those is printed. Ends the job
 * if the user asked for that.
 */
void tern_check_findings_report(const struct tern_call *call, enum tern_check_finding kind,
                                const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Ends the job, after such a report. */
void tern_check_findings_stop(void) __attribute__((noreturn));

/*
 * The same for a mistake of two calls, printed once per pair of source locations. other: the
 * location of the other call. The first function returns the mistake if the pair was reported
 * already, or NULL; the second one counts it once more.
 */
struct tern_check_finding_record;
struct tern_check_finding_record *tern_check_findings_find_pair(const struct tern_call *call,
                                                                enum tern_check_finding kind,
                                                                const char *other);
void tern_check_findings_count_again(struct tern_check_finding_record *record);
void tern_check_findings_report_pair(const struct tern_call *call, enum tern_check_finding kind,
                                     const char *other, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Whether the user asked for the check of races. */
bool tern_check_findings_wants_races(void);

/* The title that messages of this kind begin with. */
const char *tern_check_findings_title(enum tern_check_finding kind);

/* How many mistakes this PE has made, repetitions included. */
unsigned long tern_check_findings_count(void);

/* A call of the program begins or has ended on this thread, for tern_tool_has_reported(). */
void tern_check_findings_begin_call(void);

/* Whether this PE has made mistakes, or left something that it has not freed. */
bool tern_check_findings_has_any(void);

/*
 * Adds a line about something that the program has not freed. These are not counted, and printed
 * together at the end.
 */
void tern_check_findings_add_leak(const char *format, ...) __attribute__((format(printf, 1, 2)));

/*
 * The first function prints the leaks, and the sum of this PE's mistakes if it printed any. The
 * second one, after all PEs have called the first, prints which other PEs made mistakes that this
 * PE printed.
 */
void tern_check_findings_summarize(void);
void tern_check_findings_summarize_others(void);

/* Writes a message to standard error by one write. The format contains the newlines. */
void tern_check_findings_print(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Writes the call as in C, with the names of its arguments: "shmem_malloc(size=80)". */
void tern_check_findings_format_call(const struct tern_call *call, char *text, size_t size);

#endif

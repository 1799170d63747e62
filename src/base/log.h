/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages to the user on standard error: each is one line, written at once. */
#ifndef TERN_BASE_LOG_H
#define TERN_BASE_LOG_H

#include <stdbool.h>
#include <stddef.h>

#include "base/compiler.h"

/*
 * The end of a message whose remedy takes more than a line: it names a heading of docs/messages.md,
 * which is also the manual page tern-messages(7).
 */
#define TERN_SEE(section) "; see tern-messages(7), \"" section "\""

/* From now on `who` follows "tern: " in each message. The text is not copied. */
void tern_log_identify(const char *who);

/* The same for "WHAT 3 of 8", or "WHAT 3" where n_pes is 0: not known yet. */
void tern_log_identify_pe(const char *what, int pe, int n_pes);

/* Whether tern_debug() prints (SHMEM_DEBUG). */
void tern_log_set_debug(bool on);
bool tern_log_debug(void);

/* tern_fatal() calls the hook after it has printed the message, to print where the mistake is. */
void tern_log_on_mistake(void (*hook)(void));

/* tern_fatal() calls the hook after that; the hook may not return. */
void tern_log_on_fatal(void (*hook)(void));

/* tern_fatal() calls the hook last, before it exits with this status. */
void tern_log_on_end(void (*hook)(int status));

/* Flushes stdio. Ends the process if another thread keeps a stream locked. */
void tern_log_flush(void);

/* tern_error() prints only if may() returns true, and calls done() afterwards. */
void tern_log_on_error(bool (*may)(void), void (*done)(void));

/*
 * Prints "tern: WHO: ROUTINE: message", flushes stdio and exits with status 1, or, if SHMEM_DEBUG
 * is set, aborts and leaves a core file. routine may be NULL.
 */
void tern_fatal(const char *routine, const char *fmt, ...)
    TERN_PRINTF(2, 3) TERN_NORETURN TERN_COLD;

/* "tern: WHO: warning: message" */
void tern_warn(const char *fmt, ...) TERN_PRINTF(1, 2) TERN_COLD;

/* "tern: WHO: error: message": the job goes on, or the caller returns an error. */
void tern_error(const char *fmt, ...) TERN_PRINTF(1, 2) TERN_COLD;

/* "tern: WHO: message": information. */
void tern_note(const char *fmt, ...) TERN_PRINTF(1, 2) TERN_COLD;

/* "tern: WHO: debug: message", only under SHMEM_DEBUG. */
void tern_debug(const char *fmt, ...) TERN_PRINTF(1, 2) TERN_COLD;

#endif

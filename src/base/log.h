/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages to the user on standard error: one shape, one line, one write. */
#ifndef TERN_BASE_LOG_H
#define TERN_BASE_LOG_H

#include <stdbool.h>
#include <stddef.h>

#include "base/compiler.h"

/* Who speaks, put after "tern: "; nothing until it is known. The text is not copied. */
void tern_log_identify(const char *who);

/* The same for "WHAT 3 of 8", or "WHAT 3" where n_pes is 0: not known yet. */
void tern_log_identify_pe(const char *what, int pe, int n_pes);

/* Whether tern_debug() prints (SHMEM_DEBUG). */
void tern_log_set_debug(bool on);
bool tern_log_debug(void);

/* Called once by tern_fatal() after the message is out, before the process ends; may not return. */
void tern_log_on_fatal(void (*hook)(void));

/* Called by tern_fatal() as the last thing before it exits with this status. */
void tern_log_on_end(void (*hook)(int status));

/* Writes what stdio holds back. A stream that another thread keeps locked ends the process. */
void tern_log_flush(void);

/* tern_error() prints if `may` says so, and calls `done` afterwards. */
void tern_log_on_error(bool (*may)(void), void (*done)(void));

/*
 * The end of the process: prints "tern: WHO: ROUTINE: message", flushes stdio, exits with status 1
 * (or aborts, leaving a core, when SHMEM_DEBUG is set). routine may be NULL.
 */
void tern_fatal(const char *routine, const char *fmt, ...)
    TERN_PRINTF(2, 3) TERN_NORETURN TERN_COLD;

/* "tern: WHO: warning: message" */
void tern_warn(const char *fmt, ...) TERN_PRINTF(1, 2) TERN_COLD;

/* "tern: WHO: error: message": the job goes on, or the caller returns an error. */
void tern_error(const char *fmt, ...) TERN_PRINTF(1, 2) TERN_COLD;

/* "tern: WHO: message": what the user may want to know. */
void tern_note(const char *fmt, ...) TERN_PRINTF(1, 2) TERN_COLD;

/* "tern: WHO: debug: message", only under SHMEM_DEBUG. */
void tern_debug(const char *fmt, ...) TERN_PRINTF(1, 2) TERN_COLD;

#endif

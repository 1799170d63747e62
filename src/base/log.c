/* SPDX-License-Identifier: BSD-3-Clause */
/* Formats messages into one buffer and writes each with a single system call. */
#include "base/log.h"

#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

#include "base/tool_hooks.h"

static TERN_PE_LOCAL struct {
    const char *word;
    bool is_pe;
    int pe, n_pes;
} log_who;
static TERN_PE_LOCAL bool log_debug_on;
static TERN_PE_LOCAL void (*log_mistake_hook)(void);
static TERN_PE_LOCAL void (*log_fatal_hook)(void);
static TERN_PE_LOCAL void (*log_end_hook)(int status);
static TERN_PE_LOCAL bool (*log_may_complain)(void);
static TERN_PE_LOCAL void (*log_has_complained)(void);

void tern_log_identify(const char *who)
{
    log_who.word = who;
    log_who.is_pe = false;
}

void tern_log_identify_pe(const char *what, int pe, int n_pes)
{
    log_who.word = what;
    log_who.is_pe = true;
    log_who.pe = pe;
    log_who.n_pes = n_pes;
}

void tern_log_set_debug(bool on)
{
    log_debug_on = on;
}

bool tern_log_debug(void)
{
    return log_debug_on;
}

void tern_log_on_mistake(void (*hook)(void))
{
    log_mistake_hook = hook;
}

void tern_log_on_fatal(void (*hook)(void))
{
    log_fatal_hook = hook;
}

void tern_log_on_end(void (*hook)(int status))
{
    log_end_hook = hook;
}

void tern_log_on_error(bool (*may)(void), void (*done)(void))
{
    log_may_complain = may;
    log_has_complained = done;
}

/* "PE 3 of 8: ", made for each message: most processes print none. */
static void write_who(char *text, size_t bytes)
{
    if (!log_who.word)
        return;
    if (!log_who.is_pe)
        snprintf(text, bytes, "%s: ", log_who.word);
    else if (!log_who.n_pes)
        snprintf(text, bytes, "%s %d: ", log_who.word, log_who.pe);
    else
        snprintf(text, bytes, "%s %d of %d: ", log_who.word, log_who.pe, log_who.n_pes);
}

static void say(const char *prefix, const char *suffix, const char *fmt, va_list args)
{
    char line[2048], who[96] = "";
    int n;

    write_who(who, sizeof who);
    n = snprintf(line, sizeof line, "tern: %s%s%s", who, prefix, suffix);
    if (n < (int)sizeof line) {
        int m = vsnprintf(line + n, sizeof line - (size_t)n, fmt, args);
        n = m < 0 ? n : n + m;
    }
    if (n > (int)sizeof line - 2)
        n = (int)sizeof line - 2;
    line[n++] = '\n';
    if (write(STDERR_FILENO, line, (size_t)n) < 0)
        return; /* there is nowhere to report that */
}

static TERN_NORETURN void end(int signal_number)
{
    if (log_debug_on)
        abort();
    _exit(EXIT_FAILURE);
}

/*
 * A stream is locked while another thread reads from it, which may last for ever. Standard output
 * is therefore flushed first, and a timer ends the process if the rest blocks.
 */
void tern_log_flush(void)
{
    struct itimerval patience = {.it_value.tv_usec = 200000}, none = {0};
    sigset_t alarm_alone;

    if (ftrylockfile(stdout) == 0) {
        fflush_unlocked(stdout);
        funlockfile(stdout);
    }
    signal(SIGALRM, end);
    sigemptyset(&alarm_alone);
    sigaddset(&alarm_alone, SIGALRM);
    pthread_sigmask(SIG_UNBLOCK, &alarm_alone, NULL);
    setitimer(ITIMER_REAL, &patience, NULL);
    fflush(NULL);
    setitimer(ITIMER_REAL, &none, NULL);
}

void tern_fatal(const char *routine, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    if (!routine || !tern_tool_has_reported || !tern_tool_has_reported())
        say(routine ? routine : "", routine ? ": " : "", fmt, args);
    va_end(args);
    if (log_mistake_hook)
        log_mistake_hook();
    if (log_fatal_hook)
        log_fatal_hook();
    tern_log_flush();
    if (log_end_hook && !log_debug_on) /* end() takes time to write a core file */
        log_end_hook(EXIT_FAILURE);
    end(0);
}

void tern_warn(const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    say("warning: ", "", fmt, args);
    va_end(args);
}

void tern_error(const char *fmt, ...)
{
    va_list args;

    if (log_may_complain && !log_may_complain())
        return;
    va_start(args, fmt);
    say("error: ", "", fmt, args);
    va_end(args);
    if (log_has_complained)
        log_has_complained();
}

void tern_note(const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    say("", "", fmt, args);
    va_end(args);
}

void tern_debug(const char *fmt, ...)
{
    va_list args;

    if (!log_debug_on)
        return;
    va_start(args, fmt);
    say("debug: ", "", fmt, args);
    va_end(args);
}

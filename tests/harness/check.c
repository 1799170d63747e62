/* SPDX-License-Identifier: BSD-3-Clause */
/* Counts and reports the checks of one PE, and ends the program if it hangs. */
#include "harness/check.h"

#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Enough to see a pattern, few enough to find the first. */
#define PRINTED_FAILURES 8

static struct {
    const char *program;
    int pe, n_pes;
    char what[160];
} self = {"?", -1, 0, ""};

/* Read by PE 0 in check_report. */
static long checks, failures;

static void report_hang(int signal_number)
{
    char line[320];
    int length = snprintf(line, sizeof line, "PE %d of %d: %s: %s: hangs\n", self.pe, self.n_pes,
                          self.program, self.what);

    (void)signal_number;
    if (write(STDERR_FILENO, line, (size_t)length) < 0)
        _exit(2);
    _exit(1);
}

void check_attach(const char *program)
{
    const char *limit = getenv("CHECK_TIMEOUT");

    self.program = program;
    self.pe = shmem_my_pe();
    self.n_pes = shmem_n_pes();
    signal(SIGALRM, report_hang);
    alarm(limit ? (unsigned)atoi(limit) : 20);
}

void check_init(const char *program)
{
    shmem_init();
    check_attach(program);
}

int check_pe(void)
{
    return self.pe;
}

int check_n_pes(void)
{
    return self.n_pes;
}

void check_case(const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vsnprintf(self.what, sizeof self.what, format, args);
    va_end(args);
}

bool check_passed(void)
{
    __atomic_fetch_add(&checks, 1, __ATOMIC_RELAXED);
    return true;
}

bool check_failed(const char *file, int line, const char *name, const char *format, ...)
{
    char message[400];
    va_list args;

    __atomic_fetch_add(&checks, 1, __ATOMIC_RELAXED);
    if (__atomic_fetch_add(&failures, 1, __ATOMIC_RELAXED) >= PRINTED_FAILURES)
        return false;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    fprintf(stderr, "PE %d of %d: %s: %s: %s: %s (%s:%d)\n", self.pe, self.n_pes, self.program,
            name, self.what, message, file, line);
    return false;
}

int check_status(void)
{
    return failures ? 1 : 0;
}

int check_report(void)
{
    long all_checks = 0, all_failures = 0;

    check_case("the end");
    if (checks == 0)
        check_failed(__FILE__, __LINE__, "checks-ran", "no check ran on this PE");
    shmem_barrier_all();
    if (self.pe == 0) {
        for (int pe = 0; pe < self.n_pes; pe++) {
            all_checks += shmem_long_g(&checks, pe);
            all_failures += shmem_long_g(&failures, pe);
        }
        if (all_failures == 0)
            printf("%s: %ld checks on %d PEs passed\n", self.program, all_checks, self.n_pes);
        else
            fprintf(stderr, "%s: %ld of %ld checks on %d PEs failed\n", self.program, all_failures,
                    all_checks, self.n_pes);
        fflush(stdout);
    }
    shmem_barrier_all();
    return check_status();
}

int check_finish(void)
{
    int status = check_report();

    shmem_finalize();
    return status;
}

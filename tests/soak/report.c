/* SPDX-License-Identifier: BSD-3-Clause */
/* Failures and hangs: what went wrong, and the command that repeats the round. */
#include "report.h"

#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern char **environ;

static const char *program, *chaos_seed;
static uint64_t run_seed;
static unsigned round_number, least_threads;
static const char *place_text = "start";
static uint64_t place_number;
static int has_failed;

static void print_settings(FILE *to)
{
    for (char **variable = environ; *variable; variable++)
        if (!strncmp(*variable, "SHMEM_", 6) && strncmp(*variable, "SHMEM_CHAOS=", 12) != 0)
            fprintf(to, "%s ", *variable);
}

/* A failure that depends on the time may need several repetitions. */
static void print_command(FILE *to)
{
    fprintf(to, "soak: to repeat: ");
    print_settings(to);
    fprintf(to, "oshrun -n %d %s%s%s%s --seed %llu --round %u --repeat 100 --threads %u\n",
            soak_n_pes, chaos_seed ? "--chaos " : "", chaos_seed ? chaos_seed : "",
            chaos_seed ? " " : "", program, (unsigned long long)run_seed, round_number,
            least_threads);
}

/* All PEs hang at about the same time: each gets a second to print its place. */
static void report_hang(int signal_number)
{
    (void)signal_number;
    fprintf(stderr, "soak: PE %d hangs in round %u: %s %llu\n", soak_me, round_number, place_text,
            (unsigned long long)place_number);
    if (soak_me == 0)
        print_command(stderr);
    fflush(stderr);
    sleep(1);
    _exit(1);
}

void report_start(char **argv, unsigned threads, const char *chaos)
{
    program = argv[0];
    least_threads = threads;
    chaos_seed = chaos;
    signal(SIGALRM, report_hang);
}

void report_round(const struct round *round, uint64_t seed, unsigned limit)
{
    run_seed = seed;
    round_number = round->number;
    report_place("begins", 0);
    alarm(limit);
}

void report_place(const char *what, uint64_t number)
{
    place_text = what;
    place_number = number;
}

void report_failure(const char *format, ...)
{
    va_list arguments;

    if (__atomic_exchange_n(&has_failed, 1, __ATOMIC_ACQ_REL))
        for (;;)
            pause(); /* the thread that failed first ends the job */
    fprintf(stderr, "soak: PE %d, round %u: ", soak_me, round_number);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fprintf(stderr, "\n");
    print_command(stderr);
    fflush(stderr);
    shmem_global_exit(1);
}

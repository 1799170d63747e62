/* SPDX-License-Identifier: BSD-3-Clause */
/* Shared by both kinds of PEs: threads and processes. */
#include "tsan/common.h"

#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "core/job.h"
#include "core/wait.h"

/* Longer than any test may take: a sleep that lasts so long is a lost wake. */
#define SLEEP_NS UINT64_C(60000000000)

const char *common_test;

static void report_hang(int signal_number)
{
    char line[160];
    int n = snprintf(line, sizeof line, "%s: hangs\n", common_test);

    (void)signal_number;
    if (write(STDERR_FILENO, line, (size_t)n) < 0)
        _exit(2);
    _exit(1);
}

void common_start(const char *test)
{
    common_test = test;
    signal(SIGALRM, report_hang);
    alarm(25);
}

bool common_asks_for_sleep(int argc, char **argv)
{
    return argc > 1 && strcmp(argv[argc - 1], "asleep") == 0;
}

void pes_sleep_at_once(void)
{
    tern_wait_policy.spins = 0;
    tern_wait_policy.yields = 0;
    tern_wait_policy.awake_ns = 0;
    /* Without membarrier a wake may get lost: that is what the limit of sleeps is for. */
    if (tern_wait_policy.asymmetric)
        tern_wait_policy.sleep_ns = SLEEP_NS;
}

void *pes_shared(size_t bytes)
{
    void *mine = shmem_calloc(1, bytes);

    expect(mine != NULL, "memory", "no %zu bytes", bytes);
    return shmem_ptr(mine, 0);
}

void pes_await(const uint64_t *word, uint64_t value)
{
    for (unsigned looks = 0; tern_load_acquire(word) < value; looks++)
        if (looks < 200)
            tern_cpu_relax();
        else
            sched_yield(); /* the other PE may need this core */
}

void pes_dawdle(uint32_t *seed, uint32_t most)
{
    uint32_t turns = most ? pes_random(seed) % most : 0;

    for (volatile uint32_t i = 0; i < turns; i++)
        ;
}

void pes_fail(const char *file, int line, const char *check, const char *format, ...)
{
    char text[400];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    fprintf(stderr, "PE %d of %d: %s: %s: %s (%s:%d)\n", tern_job.pe, tern_job.n_pes, common_test,
            check, text, file, line);
    _exit(1);
}

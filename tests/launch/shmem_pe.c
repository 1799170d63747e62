/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * An OpenSHMEM program that does what its arguments say, in order, for tests of how real jobs end.
 * "2:crash" applies to PE 2 only, "0,2:barrier" to PEs 0 and 2.
 */
#include <errno.h>
#include <shmem.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static long lock;
static int never;

static void pause_for(double seconds)
{
    struct timespec t = {.tv_sec = (time_t)seconds};

    t.tv_nsec = (long)((seconds - (double)t.tv_sec) * 1e9);
    while (nanosleep(&t, &t) != 0 && errno == EINTR)
        ;
}

static void compute(void)
{
    for (volatile unsigned long n = 0;; n++)
        ;
}

static void step_of_shmem(const char *word, const char *value)
{
    if (strcmp(word, "init") == 0)
        shmem_init();
    else if (strcmp(word, "finalize") == 0)
        shmem_finalize();
    else if (strcmp(word, "barrier") == 0)
        shmem_barrier_all();
    else if (strcmp(word, "wait") == 0)
        shmem_int_wait_until(&never, SHMEM_CMP_NE, 0);
    else if (strcmp(word, "lock") == 0)
        shmem_set_lock(&lock);
    else if (strcmp(word, "global_exit") == 0)
        shmem_global_exit(atoi(value));
    else if (strcmp(word, "put_to") == 0)
        shmem_int_p(&never, 1, atoi(value));
    else
        exit(95);
}

static void do_step(char *step)
{
    char *value = strchr(step, '=');

    if (value)
        *value++ = '\0';
    if (strcmp(step, "print") == 0)
        puts(value);
    else if (strcmp(step, "partial") == 0)
        fputs(value, stdout);
    else if (strcmp(step, "sleep") == 0)
        pause_for(atof(value));
    else if (strcmp(step, "compute") == 0)
        compute();
    else if (strcmp(step, "exit") == 0)
        exit(atoi(value));
    else if (strcmp(step, "_exit") == 0)
        _exit(atoi(value));
    else if (strcmp(step, "raise") == 0)
        raise(atoi(value));
    else if (strcmp(step, "abort") == 0)
        abort();
    else
        step_of_shmem(step, value);
}

/* Cuts the list of PEs off a step; whether pe is one of them. */
static bool is_for(char **step, int pe)
{
    char *at = *step, *end;
    bool found = false;

    while (strtol(at, &end, 10), end != at) {
        found = found || strtol(at, NULL, 10) == pe;
        at = end + 1;
        if (*end == ':') {
            *step = at;
            return found;
        }
    }
    return true;
}

int main(int argc, char **argv)
{
    const char *pe = getenv("TERN_PE");

    for (int i = 1; i < argc; i++) {
        char *step = argv[i];

        if (is_for(&step, pe ? atoi(pe) : 0))
            do_step(step);
    }
    return 0;
}

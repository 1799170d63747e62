/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A stand-in for a PE: changes its slot of the job area as its arguments say, in order, so that the
 * launcher is tested without the library. "2:crash" applies to PE 2 only.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "boot/job_area.h"

static struct tern_job_area *area;
static struct tern_slot *slot;
static int object;

static void attach(int pe)
{
    const char *boot = getenv(TERN_BOOT_VARIABLE);
    struct tern_job_area head;
    unsigned long long key;
    int launcher;

    if (!boot || sscanf(boot, "oshrun:%d:%d:%16llx", &object, &launcher, &key) != 3)
        exit(90);
    if (pread(object, &head, sizeof head, 0) != sizeof head) { /* a wrapper has closed it */
        char path[64];

        snprintf(path, sizeof path, "/proc/%d/fd/%d", launcher, object);
        object = open(path, O_RDWR);
        if (pread(object, &head, sizeof head, 0) != sizeof head)
            exit(91);
    }
    if (head.magic != TERN_JOB_AREA_MAGIC || head.version != TERN_JOB_AREA_VERSION ||
        head.key != key || head.launcher_pid != launcher || pe >= (int)head.n_pes)
        exit(92);
    area =
        mmap(NULL, tern_job_area_bytes(head.n_pes), PROT_READ | PROT_WRITE, MAP_SHARED, object, 0);
    if (area == MAP_FAILED)
        exit(93);
    slot = &area->slots[pe];
}

static void set_phase(uint32_t phase)
{
    __atomic_store_n(&slot->phase, phase, __ATOMIC_RELEASE);
}

static void claim(void)
{
    int32_t nobody = 0;

    if (!__atomic_compare_exchange_n(&slot->pid, &nobody, getpid(), 0, __ATOMIC_ACQ_REL,
                                     __ATOMIC_ACQUIRE))
        exit(94);
    set_phase(TERN_SLOT_CLAIMED);
}

static void wait_in(const char *routine)
{
    snprintf(slot->waiting_in, sizeof slot->waiting_in, "%s", routine);
    __atomic_store_n(&slot->waiting_since, 1, __ATOMIC_RELEASE);
}

static void pause_for(double seconds)
{
    struct timespec t = {.tv_sec = (time_t)seconds};

    t.tv_nsec = (long)((seconds - (double)t.tv_sec) * 1e9);
    while (nanosleep(&t, &t) != 0 && errno == EINTR)
        ;
}

/* PEs 0 to n-1 have claimed their slots and come this far. */
static void meet(int n)
{
    __atomic_store_n(&slot->image_bytes, 1, __ATOMIC_RELEASE);
    for (int i = 0; i < n; i++)
        while (!__atomic_load_n(&area->slots[i].image_bytes, __ATOMIC_ACQUIRE))
            pause_for(0.001);
}

static void leave(int status)
{
    fflush(stdout);
    __atomic_store_n(&slot->exiting, TERN_EXITING | (uint32_t)status, __ATOMIC_RELEASE);
    exit(status);
}

static void tell_object(void)
{
    struct stat st;

    fstat(object, &st);
    printf("%ju %ju\n", (uintmax_t)st.st_ino, (uintmax_t)st.st_size);
}

static void end_all(int status)
{
    __atomic_store_n(&area->global_exit,
                     (uint32_t)(slot - area->slots) << TERN_GLOBAL_EXIT_PE_SHIFT |
                         TERN_GLOBAL_EXIT | (uint32_t)status,
                     __ATOMIC_RELEASE);
}

static void do_step(const char *step)
{
    const char *value = strchr(step, '=');
    size_t n = value ? (size_t)(value++ - step) : strlen(step);

#define IS(word) (n == strlen(word) && strncmp(step, word, n) == 0)
    if (IS("claim"))
        claim();
    else if (IS("init"))
        set_phase(TERN_SLOT_INITIALIZED);
    else if (IS("finalize"))
        set_phase(TERN_SLOT_FINALIZED);
    else if (IS("wait"))
        wait_in(value);
    else if (IS("meet"))
        meet(atoi(value));
    else if (IS("told"))
        slot->reported = 1;
    else if (IS("global_exit"))
        end_all(atoi(value));
    else if (IS("departed"))
        printf("%u %u\n", area->departed, area->last_departed);
    else if (IS("cores"))
        printf("%" PRIu64 "\n", area->cores);
    else if (IS("object"))
        tell_object();
    else if (IS("print"))
        puts(value);
    else if (IS("sleep"))
        pause_for(atof(value));
    else if (IS("exit"))
        leave(atoi(value));
    else if (IS("_exit"))
        _exit(atoi(value));
    else if (IS("raise"))
        raise(atoi(value));
    else
        exit(95);
    fflush(stdout);
}

int main(int argc, char **argv)
{
    const char *word = getenv(TERN_PE_VARIABLE);
    int pe = word ? atoi(word) : 0;

    attach(pe);
    for (int i = 1; i < argc; i++) {
        char *end;
        long only = strtol(argv[i], &end, 10);

        if (*end != ':' || only == pe)
            do_step(*end == ':' ? end + 1 : argv[i]);
    }
    leave(0);
}

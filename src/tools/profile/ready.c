/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the kernel's counts of the time that a thread has run, and has waited for a core. */
#include "tools/profile/ready.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

struct times {
    uint64_t ran, ready;
};

static char path[64];
static struct times at_begin;

/* Reads the first two numbers of the file, in nanoseconds. */
static bool read_times(struct times *times)
{
    FILE *file = fopen(path, "re");
    bool found;

    if (!file)
        return false;
    found = fscanf(file, "%" SCNu64 "%" SCNu64, &times->ran, &times->ready) == 2;
    fclose(file);
    return found;
}

void tern_ready_begin(struct tern_profile *profile)
{
    struct tern_profile_head *head = &profile->head;

    snprintf(path, sizeof path, "/proc/self/task/%ld/schedstat", (long)syscall(SYS_gettid));
    if (!read_times(&at_begin)) {
        head->ready_ns = UINT64_MAX;
    } else { /* an earlier part of the program counts as well */
        at_begin.ready -= head->ready_ns;
        at_begin.ran -= head->cpu_ns;
    }
}

void tern_ready_note(struct tern_profile *profile)
{
    struct times now;

    if (profile->head.ready_ns == UINT64_MAX || !read_times(&now))
        return;
    profile->head.ready_ns = now.ready - at_begin.ready;
    profile->head.cpu_ns = now.ran - at_begin.ran;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* The memory that a process has for itself, with its page tables, in KiB. */
#ifndef MEMORY_USE_H
#define MEMORY_USE_H

#include <stdio.h>

/* The value of a line in a file of /proc/self. */
static inline long memory_use_of(const char *file, const char *format)
{
    char line[256];
    long kib = 0;
    FILE *f = fopen(file, "r");

    if (!f)
        return 0;
    while (fgets(line, sizeof line, f) && sscanf(line, format, &kib) != 1)
        ;
    fclose(f);
    return kib;
}

static inline long memory_use_kib(void)
{
    return memory_use_of("/proc/self/smaps_rollup", "Private_Dirty: %ld") +
           memory_use_of("/proc/self/status", "VmPTE: %ld");
}

#endif

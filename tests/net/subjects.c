/* SPDX-License-Identifier: BSD-3-Clause */
/* Shared by the subjects: patterns, addresses, and a wait. */
#include <sched.h>

#include "net/subjects.h"

const size_t sizes[N_SIZES] = {1,    2,     3,     4,     7,       8,    9,        63,         64,
                               65,   127,   1000,  4096,  4097,    8192, 8255,     8256,       8257,
                               9000, 16384, 65536, 65537, MIB - 1, MIB,  MIB + 13, 3 * MIB + 5};

int next_pe(void)
{
    return (rig_pe + 1) % rig_n_pes;
}

unsigned char *target(size_t misalign)
{
    return rig_heap + 4096 + misalign;
}

unsigned char *own(size_t misalign)
{
    return rig_heap + RIG_HEAP / 2 + misalign;
}

unsigned char pattern(size_t i, unsigned seed)
{
    return (unsigned char)((i * 2654435761u >> 7) + i + seed * 37u);
}

void fill(unsigned char *at, size_t bytes, unsigned seed)
{
    for (size_t i = 0; i < bytes; i++)
        at[i] = pattern(i, seed);
}

void check_pattern(const unsigned char *at, size_t bytes, unsigned seed, const char *what)
{
    for (size_t i = 0; i < bytes; i++)
        CHECK(at[i] == pattern(i, seed), "%s: byte %zu of %zu", what, i, bytes);
}

void wait_for(const uint64_t *word, uint64_t value)
{
    while (tern_load_acquire(word) != value) {
        rig_net->progress();
        sched_yield();
    }
}

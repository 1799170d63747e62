/* SPDX-License-Identifier: BSD-3-Clause */
/* The share of a machine's memory that heaps take by default. */
#include "base/memory_budget.h"

#define MIB (UINT64_C(1) << 20)
#define GIB (UINT64_C(1) << 30)

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* Valgrind reads all mapped memory when a program ends, so untouched pages cost time there. */
#define MOST_IN_VALGRIND (256 * MIB)

/*
 * Untouched pages cost nothing, so the default is generous. Still, no job may exceed a limit
 * because of the default: all PEs together get half of memory and a quarter of address space at
 * most, and 32 GiB, which valgrind can still map.
 */
uint64_t tern_memory_budget(const struct tern_os_memory_limits *limits)
{
    uint64_t all = least(least(limits->physical, limits->cgroup) / 2, limits->address_space / 4);

    return least(all, tern_os_in_valgrind() ? MOST_IN_VALGRIND : 32 * GIB);
}

uint64_t tern_memory_budget_here(void)
{
    struct tern_os_memory_limits limits;

    tern_os_memory_limits(&limits);
    return tern_memory_budget(&limits);
}

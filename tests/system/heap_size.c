/* SPDX-License-Identifier: BSD-3-Clause */
/* The default size of the heap on machines that this one is not. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "mem/arena.h"

#define MIB (UINT64_C(1) << 20)
#define GIB (UINT64_C(1) << 30)
#define NONE UINT64_MAX

static int failures;

static void expect(const char *what, uint64_t physical, uint64_t cgroup, uint64_t address_space,
                   int n, uint64_t stride)
{
    struct tern_os_memory_limits limits = {
        .physical = physical, .cgroup = cgroup, .address_space = address_space};
    uint64_t heap = tern_arena_default_heap(&limits, n);

    if (heap != stride - tern_os_page_size()) {
        printf("%s, %d PEs: %ju bytes, not %ju less a page\n", what, n, (uintmax_t)heap,
               (uintmax_t)stride);
        failures++;
    }
}

int main(void)
{
    expect("a workstation", 64 * GIB, NONE, NONE, 1, GIB);
    expect("a workstation", 64 * GIB, NONE, NONE, 16, GIB);
    expect("a workstation", 64 * GIB, NONE, NONE, 33, 512 * MIB);
    expect("a workstation", 64 * GIB, NONE, NONE, 1000, 32 * MIB);
    expect("a server", 2048 * GIB, NONE, NONE, 32, GIB);
    expect("a server", 2048 * GIB, NONE, NONE, 64, 512 * MIB);
    expect("a small board", GIB, NONE, NONE, 4, 128 * MIB);
    expect("a small container", 64 * GIB, 512 * MIB, NONE, 4, 64 * MIB);
    expect("a tiny container", 64 * GIB, 16 * MIB, NONE, 4, 2 * MIB);
    expect("a limit on addresses", 64 * GIB, NONE, 4 * GIB, 2, 512 * MIB);
    expect("a limit on addresses", 64 * GIB, NONE, 200 * MIB, 2, 16 * MIB);
    expect("nothing to share", 64 * GIB, NONE, 32 * MIB, 64, MIB);
    return failures != 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Fills this PE's table of call sites in shared memory, and finds them by a private hash table. */
#include "tools/check/race/site_table.h"

#define SITES 8192 /* of a PE */

struct site {
    uint32_t routine;
    uint32_t unused;
    struct tern_check_portable_location location;
};

struct table {
    uint32_t n; /* numbers begin at 1 */
    struct site sites[SITES];
};

static struct table *tables, *mine;

/* The numbers of call sites, by an open-addressing hash. */
static struct {
    const void *address;
    const struct tern_routine *routine;
    uint32_t number; /* 0: free */
} known[2 * SITES];

size_t tern_check_site_table_bytes(int n)
{
    return (size_t)n * sizeof *tables;
}

void tern_check_site_table_start(void *memory, int me)
{
    tables = memory;
    mine = &tables[me];
}

static uint32_t add(const void *address, const struct tern_routine *routine)
{
    struct site *site = &mine->sites[mine->n];

    if (mine->n + 1 >= SITES)
        return 0;
    site->routine = (uint32_t)(routine - tern_routines);
    tern_check_portable_location_of(address, &site->location);
    return ++mine->n;
}

uint32_t tern_check_site_table_number(const struct tern_call *call)
{
    const void *address = tern_check_portable_location_site(call);
    size_t slot = ((uintptr_t)address ^ (uintptr_t)call->routine >> 3) * 0x9e3779b97f4a7c15u >> 50;

    while (known[slot].number &&
           (known[slot].address != address || known[slot].routine != call->routine))
        slot = (slot + 1) % (2 * SITES);
    if (!known[slot].number) {
        uint32_t number = add(address, call->routine);

        if (!number)
            return 0;
        known[slot].address = address;
        known[slot].routine = call->routine;
        known[slot].number = number;
    }
    return known[slot].number;
}

const char *tern_check_site_table_text(int pe, uint32_t number, const struct tern_routine **routine)
{
    const struct site *site;

    *routine = NULL;
    if (number == 0)
        return "a place without a name";
    site = &tables[pe].sites[number - 1];
    *routine = &tern_routines[site->routine];
    return tern_check_portable_location_text(&site->location);
}

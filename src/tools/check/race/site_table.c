/* SPDX-License-Identifier: BSD-3-Clause */
/* Fills this PE's table of call sites in shared memory, and finds them by a private hash table. */
#include "tools/check/race/site_table.h"

#include <pthread.h>

#define SITES 32768 /* of a PE */

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
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of threads that add a site */

const struct tern_routine tern_check_program_routines[] = {
    [PROGRAM_LOAD] = {.name = "a load", .arguments = ""},
    [PROGRAM_STORE] = {.name = "a store", .arguments = ""},
    [PROGRAM_VOLATILE_LOAD] = {.name = "a volatile load", .arguments = ""},
    [PROGRAM_VOLATILE_STORE] = {.name = "a volatile store", .arguments = ""},
    [PROGRAM_ATOMIC_LOAD] = {.name = "an atomic load", .arguments = ""},
    [PROGRAM_ATOMIC_STORE] = {.name = "an atomic store", .arguments = ""},
    [PROGRAM_ATOMIC_UPDATE] = {.name = "an atomic update", .arguments = ""},
};

bool tern_check_site_table_is_program(const struct tern_routine *routine)
{
    return routine >= tern_check_program_routines &&
           routine < tern_check_program_routines + N_PROGRAM_ACCESSES;
}

/* Routines of the library have the numbers below TERN_MOST_ROUTINES. */
static uint32_t number_of(const struct tern_routine *routine)
{
    return tern_check_site_table_is_program(routine)
               ? (uint32_t)(TERN_MOST_ROUTINES + (routine - tern_check_program_routines))
               : (uint32_t)(routine - tern_routines);
}

static const struct tern_routine *routine_of(uint32_t number)
{
    return number >= TERN_MOST_ROUTINES ? &tern_check_program_routines[number - TERN_MOST_ROUTINES]
                                        : &tern_routines[number];
}

/* The numbers of call sites, by an open-addressing hash. */
static struct {
    const void *address;
    const struct tern_routine *routine;
    uint32_t number; /* 0: free */
} known[2 * SITES];  /* 2^16: see find() */

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
    site->routine = number_of(routine);
    tern_check_portable_location_of(address, &site->location);
    return ++mine->n;
}

/* The slot of a site, or the free one for it. */
static size_t find(const void *address, const struct tern_routine *routine)
{
    size_t slot = ((uintptr_t)address ^ (uintptr_t)routine >> 3) * 0x9e3779b97f4a7c15u >> 48;

    /* partner: the release in number_new() */
    while (__atomic_load_n(&known[slot].number, __ATOMIC_ACQUIRE) &&
           (known[slot].address != address || known[slot].routine != routine))
        slot = (slot + 1) % (2 * SITES);
    return slot;
}

static uint32_t number_new(const void *address, const struct tern_routine *routine)
{
    uint32_t number;
    size_t slot;

    pthread_mutex_lock(&lock);
    slot = find(address, routine);
    number = known[slot].number;
    if (!number && (number = add(address, routine))) {
        known[slot].address = address;
        known[slot].routine = routine;
        __atomic_store_n(&known[slot].number, number, __ATOMIC_RELEASE); /* partner: find() */
    }
    pthread_mutex_unlock(&lock);
    return number;
}

uint32_t tern_check_site_table_number(const struct tern_call *call)
{
    const void *address = tern_check_portable_location_site(call);
    uint32_t number = known[find(address, call->routine)].number;

    return number ? number : number_new(address, call->routine);
}

const char *tern_check_site_table_text(int pe, uint32_t number, const struct tern_routine **routine)
{
    const struct site *site;

    *routine = NULL;
    if (number == 0)
        return "a place without a name";
    site = &tables[pe].sites[number - 1];
    *routine = routine_of(site->routine);
    return tern_check_portable_location_text(&site->location);
}

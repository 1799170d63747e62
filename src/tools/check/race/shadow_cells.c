/* SPDX-License-Identifier: BSD-3-Clause */
/* Gives cells to lines, and moves records between cells and sets. */
#include "tools/check/race/shadow_cells.h"

#include "tools/check/race/access.h"

#define CELLS 131072 /* of each PE */
#define MOST_CELLS ((size_t)8 << 20)

struct tern_check_shadow_cell *tern_check_shadow_cells;
size_t tern_check_shadow_cells_n;

static size_t cells_for(int n)
{
    return (size_t)n * CELLS < MOST_CELLS ? (size_t)n * CELLS : MOST_CELLS;
}

size_t tern_check_shadow_cells_bytes(int n)
{
    return cells_for(n) * sizeof *tern_check_shadow_cells;
}

void tern_check_shadow_cells_start(void *memory, int n)
{
    tern_check_shadow_cells = memory;
    tern_check_shadow_cells_n = cells_for(n);
}

static struct tern_check_shadow_set *set_of(uint64_t key)
{
    return tern_check_shadow_store_set_of(&tern_check_shadow_store_lines, key);
}

/* ---- owners ---- */

static bool is_free(const struct tern_check_shadow_cell *cell)
{
    for (int i = 0; i < CELL_RECORDS; i++)
        if (cell->records[i].when) {
            const struct tern_check_access access =
                tern_check_shadow_cells_unpack(&cell->records[i]);

            if (!tern_check_clocks_is_over(&access))
                return false;
        }
    return true;
}

/* The line may have records in the sets from the time when another one owned the cell. */
static void take(struct tern_check_shadow_cell *cell, uint64_t key)
{
    struct tern_check_shadow_set *set = set_of(key);

    for (int i = 0; i < CELL_RECORDS; i++)
        cell->records[i].when = 0;
    cell->is_noted = false;
    cell->is_spilled = false;
    if (cell->key) {
        tern_check_shadow_store_lock(set);
        cell->is_spilled = tern_check_shadow_store_find(set, key) != 0;
        tern_check_shadow_store_unlock(set);
    }
    cell->key = key;
}

bool __attribute__((noinline))
tern_check_shadow_cells_lock_slowly(struct tern_check_shadow_cell *cell, uint64_t key)
{
    if (cell->key != key && is_free(cell))
        take(cell, key);
    return cell->key == key && !cell->is_spilled;
}

void tern_check_shadow_cells_note(uint64_t key, bool is_noted)
{
    struct tern_check_shadow_cell *cell = tern_check_shadow_cells_of(key);

    tern_check_shadow_cells_lock(cell, key);
    if (cell->key == key)
        cell->is_noted = is_noted;
    tern_check_shadow_cells_unlock(cell);
}

/* ---- to the sets and back ---- */

void tern_check_shadow_cells_spill(struct tern_check_shadow_cell *cell)
{
    struct tern_check_shadow_set *set = set_of(cell->key);
    struct tern_check_shadow_way dropped;

    tern_check_shadow_store_lock(set);
    for (int i = 0; i < CELL_RECORDS; i++)
        if (cell->records[i].when) {
            const struct tern_check_access access =
                tern_check_shadow_cells_unpack(&cell->records[i]);

            tern_check_shadow_store_put(set, -1, cell->key, &access, &dropped);
            cell->records[i].when = 0;
        }
    tern_check_shadow_store_unlock(set);
    cell->is_spilled = true;
}

/* Whether a cell has room for the access: its bytes are whole units. */
static bool fits(const struct tern_check_access *access)
{
    return tern_check_access_is_real(access) &&
           tern_check_shadow_cells_mask(tern_check_shadow_cells_units(access->mask)) ==
               access->mask;
}

void tern_check_shadow_cells_gather(struct tern_check_shadow_cell *cell, uint64_t key,
                                    struct tern_check_shadow_set *set)
{
    uint32_t ways = tern_check_shadow_store_find(set, key);
    int n = 0;

    if (cell->key != key || __builtin_popcount(ways) >= CELL_RECORDS)
        return;
    for (uint32_t left = ways; left; left &= left - 1)
        if (!fits(&set->way[__builtin_ctz(left)].access))
            return;
    for (uint32_t left = ways; left; left &= left - 1) {
        const struct tern_check_access *access = &set->way[__builtin_ctz(left)].access;

        cell->records[n].what =
            tern_check_shadow_cells_pack(access) | tern_check_shadow_cells_units(access->mask);
        /* partner: tern_check_shadow_cells_has() */
        __atomic_store_n(&cell->records[n++].when, access->when, __ATOMIC_RELEASE);
        set->tag[__builtin_ctz(left)] = 0;
    }
    cell->is_spilled = false;
}

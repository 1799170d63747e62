/* SPDX-License-Identifier: BSD-3-Clause */
/* Records which bytes are waited for, and finds the PEs that wrote them. */
#include "tools/check/race/flags.h"

#include "tools/check/race/access.h"
#include "tools/check/race/shadow_cells.h"
#include "tools/check/race/shadow_store.h"

static void await_line(int target, uint64_t line, uint64_t mask, uint64_t when)
{
    uint64_t key = tern_check_shadow_store_key(target, line);
    struct tern_check_shadow_set *set =
        tern_check_shadow_store_set_of(&tern_check_shadow_store_lines, key);
    struct tern_check_shadow_cell *cell = tern_check_shadow_cells_of(key);
    struct tern_check_access access = {.when = when, .how = ACCESS_AWAITED, .mask = mask};
    struct tern_check_shadow_way dropped;
    int way = -1;

    if (tern_check_shadow_cells_lock(cell, key)) /* whose records are all accesses */
        tern_check_shadow_cells_spill(cell);
    tern_check_shadow_store_lock(set);
    for (uint32_t left = tern_check_shadow_store_find(set, key); left; left &= left - 1) {
        const struct tern_check_access *old = &set->way[__builtin_ctz(left)].access;

        if (old->how != ACCESS_AWAITED)
            continue;
        way = __builtin_ctz(left);
        if (tern_check_clocks_is_recent(old))
            access.mask |= old->mask;
    }
    tern_check_shadow_store_put(set, way, key, &access, &dropped);
    tern_check_shadow_store_unlock(set);
    tern_check_shadow_cells_unlock(cell);
}

void tern_check_flags_await(int target, uint64_t offset, uint64_t bytes, uint64_t when)
{
    for (uint64_t end = offset + bytes; offset < end;) {
        uint64_t at = offset % 64, n = end - offset < 64 - at ? end - offset : 64 - at;

        await_line(target, offset >> LINE_BITS, tern_check_shadow_store_mask(n) << at, when);
        offset += n;
    }
}

/* Writers of bytes of a line or page. */
struct writers {
    uint64_t when[SET_WAYS];
    int n;
};

/*
 * Adds the writer if the record is one of these bytes. Returns whether the record has changed: a
 * write of a flag is complete once it was seen.
 */
static bool add_writer(struct writers *writers, struct tern_check_access *access, uint64_t mask)
{
    if (!(access->mask & mask) || !tern_check_access_is_real(access) ||
        !(access->how & ACCESS_WRITES))
        return false;
    writers->when[writers->n++] = access->when;
    if (!(access->how & ACCESS_WORD) || access->ctx == CTX_AT_ONCE)
        return false;
    access->ctx = CTX_AT_ONCE;
    return true;
}

static void find_in_set(struct writers *writers, const struct tern_check_shadow_store *table,
                        uint64_t key, uint64_t mask)
{
    struct tern_check_shadow_set *set = tern_check_shadow_store_set_of(table, key);

    tern_check_shadow_store_lock(set);
    for (uint32_t left = tern_check_shadow_store_find(set, key); left; left &= left - 1)
        add_writer(writers, &set->way[__builtin_ctz(left)].access, mask);
    tern_check_shadow_store_unlock(set);
}

static void find_in_cell(struct writers *writers, struct tern_check_shadow_cell *cell,
                         uint64_t mask)
{
    uint64_t units = tern_check_shadow_cells_units(mask);

    for (int i = 0; i < CELL_RECORDS; i++) {
        struct tern_check_cell_record *record = &cell->records[i];
        struct tern_check_access access;

        if (!record->when || !(record->what & units))
            continue;
        access = tern_check_shadow_cells_unpack(record);
        if (add_writer(writers, &access, mask))
            record->what = tern_check_shadow_cells_pack(&access) | (record->what & CELL_UNITS);
    }
}

static void learn(const struct writers *writers, int target)
{
    for (int i = 0; i < writers->n; i++) {
        tern_check_clocks_delivered(target, writers->when[i]);
        tern_check_clocks_learn(writers->when[i]);
    }
}

/* Returns whether the page may have records as well. */
static bool learn_line(int target, uint64_t line, uint64_t mask)
{
    uint64_t key = tern_check_shadow_store_key(target, line);
    struct tern_check_shadow_cell *cell = tern_check_shadow_cells_of(key);
    struct writers writers;
    bool has_page;

    writers.n = 0;
    if (tern_check_shadow_cells_lock(cell, key))
        find_in_cell(&writers, cell, mask);
    else
        find_in_set(&writers, &tern_check_shadow_store_lines, key, mask);
    has_page = !tern_check_shadow_cells_is_noted(cell, key);
    tern_check_shadow_cells_unlock(cell);
    learn(&writers, target);
    return has_page;
}

static void learn_page(int target, uint64_t page, uint64_t mask)
{
    struct writers writers;

    writers.n = 0;
    find_in_set(&writers, &tern_check_shadow_store_pages, tern_check_shadow_store_key(target, page),
                mask);
    learn(&writers, target);
}

/*
 * Whether the only writer of these bytes is this actor, by operations that were complete at once.
 * Without a lock: a writer makes its record before it writes.
 */
static bool is_own(int target, uint64_t line, uint64_t mask)
{
    uint64_t key = tern_check_shadow_store_key(target, line), when = 0;
    uint64_t units = tern_check_shadow_cells_units(mask);
    const struct tern_check_shadow_cell *cell = tern_check_shadow_cells_of(key);
    uint16_t version;

    if (!tern_check_shadow_cells_begin_read(cell, &version) ||
        __atomic_load_n(&cell->key, __ATOMIC_RELAXED) != key || cell->is_spilled ||
        !tern_check_shadow_cells_is_noted(cell, key))
        return false;
    for (int i = 0; i < CELL_RECORDS; i++) {
        const struct tern_check_cell_record record = {
            __atomic_load_n(&cell->records[i].when, __ATOMIC_RELAXED),
            __atomic_load_n(&cell->records[i].what, __ATOMIC_RELAXED)};
        const struct tern_check_access access = tern_check_shadow_cells_unpack(&record);

        if (!access.when || !(record.what & units) || !(access.how & ACCESS_WRITES))
            continue;
        if (tern_check_access_actor(&access) != tern_check_clocks_self() ||
            access.ctx != CTX_AT_ONCE)
            return false;
        when = access.when > when ? access.when : when;
    }
    if (tern_check_shadow_cells_has_changed(cell, version))
        return false; /* a record may have been replaced, or have gone to the sets */
    if (when)
        tern_check_clocks_delivered(target, when);
    return true;
}

void tern_check_flags_learn(int target, uint64_t offset, uint64_t bytes)
{
    if (offset % 64 + bytes <= 64 &&
        is_own(target, offset >> LINE_BITS, tern_check_shadow_store_mask(bytes) << offset % 64)) {
        tern_check_clocks_learn_forgotten();
        return;
    }
    for (uint64_t end = offset + bytes; offset < end;) {
        uint64_t at = offset % 64, n = end - offset < 64 - at ? end - offset : 64 - at;
        uint64_t line = offset >> LINE_BITS;

        if (learn_line(target, line, tern_check_shadow_store_mask(n) << at))
            learn_page(target, line >> LINE_BITS, UINT64_C(1) << line % 64);
        offset += n;
    }
    tern_check_clocks_learn_forgotten();
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Compares an access with the records of its line and its page, and adds it. */
#include "tools/check/race/shadow_lines.h"

#include "tools/check/race/access.h"
#include "tools/check/race/shadow_cells.h"
#include "tools/check/race/shadow_store.h"

static uint64_t waited_of(const struct tern_check_shadow_set *set, uint32_t ways)
{
    uint64_t waited = 0;

    for (; ways; ways &= ways - 1) {
        const struct tern_check_access *access = &set->way[__builtin_ctz(ways)].access;

        if (access->how & ACCESS_AWAITED && tern_check_clocks_is_recent(access))
            waited |= access->mask;
    }
    return waited;
}

/*
 * Whether the recorded access is ordered before the new one, or concerns other bytes. If not, adds
 * a conflict. offset, shift: where the line or page begins, and the size of what a bit stands for.
 * waited: the bytes that are waited for.
 */
static bool is_ordered(const struct tern_check_access *old, const struct tern_check_access *now,
                       const struct tern_check_shadow_query *query, uint64_t waited,
                       uint64_t offset, unsigned shift)
{
    enum tern_check_order why;

    if (!(old->mask & now->mask))
        return true;
    why = tern_check_clocks_compare(old, query->target, now);
    if (why == ORDER_HOLDS)
        return true;
    if (tern_check_access_may_race(old, now) && !tern_check_access_are_flags(old, now, waited))
        tern_check_conflicts_add(query->conflicts, old, why, offset, shift, old->mask & now->mask);
    return false;
}

/* Compares with a record. Returns whether it can be dropped. */
static bool is_dropped(const struct tern_check_access *old, const struct tern_check_access *now,
                       const struct tern_check_shadow_query *query, uint64_t waited,
                       uint64_t offset, unsigned shift)
{
    return tern_check_clocks_is_over(old) ||
           tern_check_access_replaces(now, old, is_ordered(old, now, query, waited, offset, shift));
}

/* The records of any of these bytes, or lines, also those of bytes that are waited for. */
static uint32_t find_common(const struct tern_check_shadow_set *set, uint32_t ways, uint64_t mask)
{
    uint32_t common = 0;

    for (; ways; ways &= ways - 1)
        if (set->way[__builtin_ctz(ways)].access.mask & mask)
            common |= ways & -ways;
    return common;
}

/* Drops the records that are not needed any more. Returns a way that became free, or `room`. */
static int drop_over(struct tern_check_shadow_set *set, uint32_t ways, int room)
{
    for (; ways; ways &= ways - 1) {
        int way = __builtin_ctz(ways);

        if (set->tag[way] && tern_check_access_is_real(&set->way[way].access) &&
            tern_check_clocks_is_over(&set->way[way].access)) {
            set->tag[way] = 0;
            room = way;
        }
    }
    return room;
}

/*
 * Compares an access with the records of a line or page in a set. Returns a way that the access may
 * use, -1 for none, or IN if it was merged into a record. While accesses take the ways of earlier
 * ones to the same bytes, records of other bytes are not considered; after a barrier they are.
 */
enum { IN = -2 };

static int compare(struct tern_check_shadow_set *set, uint64_t key,
                   const struct tern_check_shadow_query *query, const struct tern_check_access *now,
                   uint64_t offset, unsigned shift)
{
    const uint32_t ways = tern_check_shadow_store_find(set, key);
    const uint32_t common = find_common(set, ways, now->mask);
    const uint64_t waited = waited_of(set, common);
    int room = -1, same = -1;

    for (uint32_t left = ways; left; left &= left - 1) {
        int way = __builtin_ctz(left);
        struct tern_check_access *old = &set->way[way].access;

        if (!tern_check_access_is_real(old))
            continue;
        if (tern_check_access_are_one(old, now)) {
            same = way;
        } else if (common & left & -left && is_dropped(old, now, query, waited, offset, shift)) {
            set->tag[way] = 0;
            room = way;
        }
    }
    if (same >= 0) {
        set->way[same].access.mask |= now->mask;
        return IN;
    }
    if (room >= 0 && !tern_check_clocks_is_over(&set->way[room].access))
        return room;
    return drop_over(set, ways, room);
}

/* ---- cells ---- */

/*
 * Compares an access with the records of a line in its cell. Returns a record that the access may
 * use, or be merged into; NULL for none.
 */
static struct tern_check_cell_record *compare_cell(struct tern_check_shadow_cell *cell,
                                                   const struct tern_check_shadow_query *query,
                                                   const struct tern_check_access *now,
                                                   uint64_t units, uint64_t offset)
{
    struct tern_check_cell_record *room = NULL, *same = NULL;
    const uint64_t what = tern_check_shadow_cells_pack(now);

    for (struct tern_check_cell_record *record = cell->records;
         record < cell->records + CELL_RECORDS; record++) {
        bool is_alike = record->when == now->when && (record->what & ~CELL_UNITS) == what;

        if (!record->when) {
            room = record;
        } else if (is_alike && (!(record->what & units) || !(now->how & ACCESS_WRITES) ||
                                now->how & ACCESS_ATOMIC)) {
            same = record;
        } else if (record->what & units) {
            const struct tern_check_access old = tern_check_shadow_cells_unpack(record);

            if (is_dropped(&old, now, query, 0, offset, 0)) {
                record->when = 0;
                room = record;
            }
        }
    }
    return same ? same : room;
}

/* A record that is not needed any more, or NULL. */
static struct tern_check_cell_record *find_over(struct tern_check_shadow_cell *cell)
{
    for (struct tern_check_cell_record *record = cell->records;
         record < cell->records + CELL_RECORDS; record++) {
        const struct tern_check_access access = tern_check_shadow_cells_unpack(record);

        if (tern_check_clocks_is_over(&access)) {
            record->when = 0;
            return record;
        }
    }
    return NULL;
}

/* Adds an access to the line that owns a cell. Returns false if the cell has no room for it. */
static bool add_to_cell(struct tern_check_shadow_cell *cell,
                        const struct tern_check_shadow_query *query,
                        const struct tern_check_access *now, uint64_t offset)
{
    uint64_t units = tern_check_shadow_cells_units(now->mask);
    struct tern_check_cell_record *record;

    if (tern_check_shadow_cells_mask(units) != now->mask)
        return false;
    record = compare_cell(cell, query, now, units, offset);
    if (!record)
        record = find_over(cell);
    if (!record)
        return false;
    record->what = (record->when ? record->what : tern_check_shadow_cells_pack(now)) | units;
    /* partner: tern_check_shadow_cells_has() */
    __atomic_store_n(&record->when, now->when, __ATOMIC_RELEASE);
    return true;
}

/* Adds an access to a line whose records are in the sets. The line's cell is locked. */
static void add_to_set(struct tern_check_shadow_cell *cell, uint64_t key,
                       const struct tern_check_shadow_query *query, uint64_t offset)
{
    struct tern_check_shadow_set *set =
        tern_check_shadow_store_set_of(&tern_check_shadow_store_lines, key);
    struct tern_check_shadow_way dropped;
    int way;

    tern_check_shadow_store_lock(set);
    way = compare(set, key, query, query->access, offset, 0);
    if (way != IN)
        tern_check_shadow_store_put(set, way, key, query->access, &dropped);
    tern_check_shadow_cells_gather(cell, key, set);
    tern_check_shadow_store_unlock(set);
}

/* ---- pages ---- */

/*
 * Compares an access with the records of a line in its cell, or in a set, without adding it.
 * Returns whether any record is still relevant.
 */
static bool check_cell(struct tern_check_shadow_cell *cell,
                       const struct tern_check_shadow_query *query,
                       const struct tern_check_access *whole, uint64_t offset)
{
    compare_cell(cell, query, whole, CELL_UNITS, offset);
    for (int i = 0; i < CELL_RECORDS; i++)
        if (cell->records[i].when)
            return true;
    return false;
}

static bool check_set(uint64_t key, const struct tern_check_shadow_query *query,
                      const struct tern_check_access *whole, uint64_t offset)
{
    struct tern_check_shadow_set *set =
        tern_check_shadow_store_set_of(&tern_check_shadow_store_lines, key);
    bool is_used = false;

    tern_check_shadow_store_lock(set);
    compare(set, key, query, whole, offset, 0);
    for (uint32_t left = tern_check_shadow_store_find(set, key); left && !is_used; left &= left - 1)
        is_used = !tern_check_clocks_is_over(&set->way[__builtin_ctz(left)].access);
    tern_check_shadow_store_unlock(set);
    return is_used;
}

/* The same for a line, which has to look at its page from now on. */
static bool check_line(const struct tern_check_shadow_query *query, uint64_t line)
{
    struct tern_check_access whole = *query->access;
    uint64_t key = tern_check_shadow_store_key(query->target, line), offset = line << LINE_BITS;
    struct tern_check_shadow_cell *cell = tern_check_shadow_cells_of(key);
    bool is_used;

    whole.mask = WHOLE_LINE;
    is_used = tern_check_shadow_cells_lock(cell, key) ? check_cell(cell, query, &whole, offset)
                                                      : check_set(key, query, &whole, offset);
    if (cell->key == key)
        cell->is_noted = false;
    tern_check_shadow_cells_unlock(cell);
    return is_used;
}

/* The record of the lines of a page that have records of their own, or NULL. */
static struct tern_check_access *below_of(struct tern_check_shadow_set *set, uint32_t ways)
{
    for (; ways; ways &= ways - 1)
        if (set->way[__builtin_ctz(ways)].access.how == ACCESS_IN_LINES)
            return &set->way[__builtin_ctz(ways)].access;
    return NULL;
}

/* The lines of a record that was dropped have to look at their page again, which notes them then.
 */
static void put_page(struct tern_check_shadow_set *set, int way, uint64_t key,
                     const struct tern_check_access *access)
{
    struct tern_check_shadow_way dropped;

    tern_check_shadow_store_put(set, way, key, access, &dropped);
    if (dropped.access.how != ACCESS_IN_LINES)
        return;
    for (uint64_t left = dropped.access.mask; left; left &= left - 1)
        tern_check_shadow_cells_note(
            tern_check_shadow_store_line_key(dropped.key, (unsigned)__builtin_ctzll(left)), false);
}

/*
 * A PE that adds a record to a line before this has read it is seen; one that does so later looks
 * at the page, and sees this record.
 */
void tern_check_shadow_lines_add_page(struct tern_check_shadow_query *query, uint64_t page,
                                      uint64_t mask)
{
    struct tern_check_access now = *query->access, *below;
    uint64_t key = tern_check_shadow_store_key(query->target, page);
    struct tern_check_shadow_set *set =
        tern_check_shadow_store_set_of(&tern_check_shadow_store_pages, key);
    int way;

    now.mask = mask;
    tern_check_shadow_store_lock(set);
    way = compare(set, key, query, &now, page << 2 * LINE_BITS, LINE_BITS);
    if (way != IN)
        put_page(set, way, key, &now);
    below = below_of(set, tern_check_shadow_store_find(set, key));
    for (uint64_t left = below ? below->mask & mask : 0; left; left &= left - 1) {
        unsigned line = (unsigned)__builtin_ctzll(left);

        if (!check_line(query, page << LINE_BITS | line))
            below->mask &= ~(UINT64_C(1) << line);
    }
    tern_check_shadow_store_unlock(set);
}

/*
 * Compares an access to bytes of a line with the records of its page. Returns whether any of these
 * is still relevant.
 */
static bool compare_with_page(const struct tern_check_shadow_set *set, uint32_t ways,
                              const struct tern_check_shadow_query *query, uint64_t line)
{
    struct tern_check_access now = *query->access;
    bool is_used = false;

    now.mask = UINT64_C(1) << line % 64;
    for (; ways; ways &= ways - 1) {
        const struct tern_check_access *old = &set->way[__builtin_ctz(ways)].access;
        enum tern_check_order why;

        if (!tern_check_access_is_real(old))
            continue;
        is_used |= !tern_check_clocks_is_over(old);
        if (!tern_check_access_may_race(old, &now))
            continue;
        why = tern_check_clocks_compare(old, query->target, &now);
        if (why != ORDER_HOLDS)
            tern_check_conflicts_add(query->conflicts, old, why, line << LINE_BITS, 0,
                                     query->access->mask);
    }
    return is_used;
}

/*
 * Notes in the page that the line has records, and compares with the page's own. If there are none,
 * that is noted in the line.
 */
static void check_page(const struct tern_check_shadow_query *query, uint64_t line)
{
    uint64_t bit = UINT64_C(1) << line % 64,
             key = tern_check_shadow_store_key(query->target, line >> LINE_BITS);
    struct tern_check_shadow_set *set =
        tern_check_shadow_store_set_of(&tern_check_shadow_store_pages, key);
    struct tern_check_access *below;
    uint32_t ways;
    bool is_alone;

    tern_check_shadow_store_lock(set);
    ways = tern_check_shadow_store_find(set, key);
    is_alone = !compare_with_page(set, ways, query, line);
    below = below_of(set, ways);
    if (below)
        below->mask |= bit;
    else
        put_page(set, -1, key, &(struct tern_check_access){.how = ACCESS_IN_LINES, .mask = bit});
    if (is_alone)
        tern_check_shadow_cells_note(tern_check_shadow_store_key(query->target, line), true);
    tern_check_shadow_store_unlock(set);
}

/* The line comes first, so that an access to its page finds the record. */
void tern_check_shadow_lines_add(struct tern_check_shadow_query *query, uint64_t line,
                                 uint64_t mask)
{
    uint64_t key = tern_check_shadow_store_key(query->target, line), offset = line << LINE_BITS;
    struct tern_check_shadow_cell *cell = tern_check_shadow_cells_of(key);
    bool is_in_cell, needs_page;

    query->access->mask = mask;
    is_in_cell = tern_check_shadow_cells_lock(cell, key);
    if (is_in_cell && !add_to_cell(cell, query, query->access, offset)) {
        tern_check_shadow_cells_spill(cell);
        is_in_cell = false;
    }
    if (!is_in_cell)
        add_to_set(cell, key, query, offset);
    needs_page = !tern_check_shadow_cells_is_noted(cell, key);
    tern_check_shadow_cells_unlock(cell);
    if (needs_page)
        check_page(query, line);
}

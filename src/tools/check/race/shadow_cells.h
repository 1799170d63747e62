/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Cells of shadow memory: the first place for the records of a line. A cell is one cache line with
 * room for three records; what does not fit is in the sets of race/shadow_store.h. A line has one
 * cell, by a hash, which several lines may share: one of them owns it. The lock of its cell
 * protects all records of a line.
 */
#ifndef TERN_CHECK_SHADOW_CELLS_H
#define TERN_CHECK_SHADOW_CELLS_H

#include "tools/check/race/shadow_store.h"

#define CELL_RECORDS 3

/* An access, except that its bytes are known by units of 4. */
struct tern_check_cell_record {
    uint64_t when; /* 0: none */
    uint64_t what; /* units, how, ctx and site: see tern_check_shadow_cells_pack() */
};

struct tern_check_shadow_cell {
    int32_t holder;   /* a process; 0: none */
    bool is_noted;    /* the page knows that the line has records, and has none that are relevant */
    bool is_spilled;  /* the owner's records are in the sets, and none are here */
    uint16_t version; /* counts unlocks, for those who read without the lock */
    uint64_t key;     /* of the line that owns the cell; 0: none yet */
    struct tern_check_cell_record records[CELL_RECORDS];
} __attribute__((aligned(64)));

extern struct tern_check_shadow_cell *tern_check_shadow_cells;
extern size_t tern_check_shadow_cells_n; /* a multiple of 64 */

/* Bytes of shared memory needed for n PEs. */
size_t tern_check_shadow_cells_bytes(int n);

/* The memory has to be zero at first. */
void tern_check_shadow_cells_start(void *memory, int n);

/* The cell of a line; adjacent lines have adjacent cells. */
static inline struct tern_check_shadow_cell *tern_check_shadow_cells_of(uint64_t key)
{
    return &tern_check_shadow_cells[tern_check_shadow_store_index(tern_check_shadow_cells_n, key)];
}

/*
 * Locks the cell, and makes the line its owner if that is possible. Returns whether the line's
 * records, if any, are in the cell; otherwise they are in the sets.
 */
bool tern_check_shadow_cells_lock_slowly(struct tern_check_shadow_cell *cell, uint64_t key);

static inline bool tern_check_shadow_cells_lock(struct tern_check_shadow_cell *cell, uint64_t key)
{
    int32_t holder = 0;

    if (!__atomic_compare_exchange_n(&cell->holder, &holder, tern_check_shadow_store_holder, false,
                                     __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
        tern_check_shadow_store_wait_lock(&cell->holder);
    /* `holder` before any change; partner: tern_check_shadow_cells_has_changed() */
    __atomic_thread_fence(__ATOMIC_RELEASE);
    return (cell->key == key && !cell->is_spilled) ||
           tern_check_shadow_cells_lock_slowly(cell, key);
}

static inline void tern_check_shadow_cells_unlock(struct tern_check_shadow_cell *cell)
{
    /* partner: tern_check_shadow_cells_begin_read() */
    __atomic_store_n(&cell->version, (uint16_t)(cell->version + 1), __ATOMIC_RELEASE);
    /* partner: the acquire in tern_check_shadow_cells_lock() */
    __atomic_store_n(&cell->holder, 0, __ATOMIC_RELEASE);
}

/* Begins to read a cell without its lock. False if it is locked; *version is for the end. */
static inline bool tern_check_shadow_cells_begin_read(const struct tern_check_shadow_cell *cell,
                                                      uint16_t *version)
{
    /* partner: tern_check_shadow_cells_unlock() */
    *version = __atomic_load_n(&cell->version, __ATOMIC_ACQUIRE);
    return __atomic_load_n(&cell->holder, __ATOMIC_ACQUIRE) == 0;
}

/* Whether the cell was locked while it was read: then what was read does not count. */
static inline bool tern_check_shadow_cells_has_changed(const struct tern_check_shadow_cell *cell,
                                                       uint16_t version)
{
    /* What was read before `holder`; partner: the fence in tern_check_shadow_cells_lock() */
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    return __atomic_load_n(&cell->holder, __ATOMIC_RELAXED) != 0 ||
           __atomic_load_n(&cell->version, __ATOMIC_RELAXED) != version;
}

/* Whether the line owns the cell, and its page is known to have no relevant records. */
static inline bool tern_check_shadow_cells_is_noted(const struct tern_check_shadow_cell *cell,
                                                    uint64_t key)
{
    return cell->is_noted && cell->key == key;
}

/* Sets or clears that. The page's set is locked, and has a bit for the line. */
void tern_check_shadow_cells_note(uint64_t key, bool is_noted);

/* Moves the owner's records to the sets. The cell is locked. */
void tern_check_shadow_cells_spill(struct tern_check_shadow_cell *cell);

/*
 * After a change in the sets: moves the line's records into the cell if it owns that, and if they
 * leave room for another one. Both are locked.
 */
void tern_check_shadow_cells_gather(struct tern_check_shadow_cell *cell, uint64_t key,
                                    struct tern_check_shadow_set *set);

/* ---- records ---- */

#define CELL_UNITS UINT64_C(0xffff) /* a bit for each 4 bytes of the line */
#define CELL_HOW_SHIFT 16
#define CELL_CTX_SHIFT 32
#define CELL_SITE_SHIFT 40

/* The units that a mask of bytes touches. */
static inline uint64_t tern_check_shadow_cells_units(uint64_t mask)
{
    mask |= mask >> 2;
    mask |= mask >> 1; /* the lowest bit of each 4 says whether any is set */
    mask &= UINT64_C(0x1111111111111111);
    mask = (mask | mask >> 3) & UINT64_C(0x0303030303030303);
    mask = (mask | mask >> 6) & UINT64_C(0x000f000f000f000f);
    mask = (mask | mask >> 12) & UINT64_C(0x000000ff000000ff);
    return (mask | mask >> 24) & CELL_UNITS;
}

/* The bytes of some units. */
static inline uint64_t tern_check_shadow_cells_mask(uint64_t units)
{
    uint64_t mask = units & CELL_UNITS;

    mask = (mask | mask << 24) & UINT64_C(0x000000ff000000ff);
    mask = (mask | mask << 12) & UINT64_C(0x000f000f000f000f);
    mask = (mask | mask << 6) & UINT64_C(0x0303030303030303);
    mask = (mask | mask << 3) & UINT64_C(0x1111111111111111);
    return mask * 15;
}

/* What a record holds beside the time and the units. */
static inline uint64_t tern_check_shadow_cells_pack(const struct tern_check_access *access)
{
    return (uint64_t)access->how << CELL_HOW_SHIFT | (uint64_t)access->ctx << CELL_CTX_SHIFT |
           (uint64_t)access->site << CELL_SITE_SHIFT;
}

static inline struct tern_check_access
tern_check_shadow_cells_unpack(const struct tern_check_cell_record *record)
{
    return (struct tern_check_access){
        .when = record->when,
        .site = (uint32_t)(record->what >> CELL_SITE_SHIFT),
        .how = (uint16_t)(record->what >> CELL_HOW_SHIFT),
        .ctx = (uint8_t)(record->what >> CELL_CTX_SHIFT),
        .mask = tern_check_shadow_cells_mask(record->what),
    };
}

/*
 * Whether the line's cell has a record of this very access, which is not a plain write. Then it
 * need not be added once more: what has come since was compared with the record. Without a lock:
 * this thread alone makes records of its present time, which nobody drops.
 */
static inline bool tern_check_shadow_cells_has(int target, uint64_t line,
                                               const struct tern_check_access *access)
{
    uint64_t key = tern_check_shadow_store_key(target, line);
    uint64_t units = tern_check_shadow_cells_units(access->mask);
    uint64_t what = tern_check_shadow_cells_pack(access);
    const struct tern_check_shadow_cell *cell = tern_check_shadow_cells_of(key);

    if ((access->how & (ACCESS_WRITES | ACCESS_ATOMIC)) == ACCESS_WRITES ||
        __atomic_load_n(&cell->key, __ATOMIC_RELAXED) != key ||
        tern_check_shadow_cells_mask(units) != access->mask)
        return false;
    for (int i = 0; i < CELL_RECORDS; i++)
        /* Acquire: the record is complete; partner: add_to_cell(), gather(). */
        if (__atomic_load_n(&cell->records[i].when, __ATOMIC_ACQUIRE) == access->when &&
            !((__atomic_load_n(&cell->records[i].what, __ATOMIC_RELAXED) ^ (what | units)) &
              ~(CELL_UNITS & ~units)))
            return true;
    return false;
}

#endif

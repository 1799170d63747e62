/* SPDX-License-Identifier: BSD-3-Clause */
/* Converts addresses to symmetric offsets, logs accesses to them, and reports conflicts. */
#include "tools/check/race/access_log.h"

#include "tools/check/args/blocks.h"
#include "tools/check/race/flags.h"
#include "tools/check/race/private_buffers.h"
#include "tools/check/race/race_report.h"
#include "tools/check/race/shadow.h"
#include "tools/check/race/shadow_cells.h"
#include "tools/check/race/shadow_lines.h"
#include "tools/check/race/shadow_store.h"
#include "tools/check/race/site_table.h"
#include "tools/check/shared/identity.h"
#include "tools/check/shared/ishmem.h"
#include "tools/check/shared/static_objects.h"
#include "tools/symmetric.h"

#define OFFSET_BITS 50 /* of an offset in a segment; the next bit says which segment */
#define MOST_BYTES (UINT64_C(1) << 45)

static bool may_be_symmetric(uintptr_t address)
{
    return tern_check_blocks_span(address) || tern_check_static_objects_span(address);
}

/* The symmetric offset of an address: the same for all PEs. */
static uint64_t offset_of(uintptr_t address)
{
    const void *pointer = (const void *)address;
    uint64_t distance = address - tern_symmetric_base(pointer);

    return (distance & ((UINT64_C(1) << OFFSET_BITS) - 1)) | (uint64_t)tern_program_has(pointer)
                                                                 << OFFSET_BITS;
}

/* Whether the access is empty, or is reported as another mistake. */
static bool is_pointless(const struct tern_check_pieces *pieces)
{
    uint64_t all;

    return !pieces->start || !pieces->n || !pieces->bytes || pieces->bytes > MOST_BYTES ||
           pieces->stride > MOST_BYTES ||
           __builtin_mul_overflow(pieces->n, pieces->stride | pieces->bytes, &all) ||
           all > MOST_BYTES;
}

/*
 * Whether the access may be one to a flag: a single word, not an argument in the caller's own
 * memory.
 */
static bool may_be_flag(const struct tern_check_pieces *pieces, unsigned how)
{
    return pieces->n == 1 && pieces->bytes <= 8 && !(how & ACCESS_LOCAL);
}

static uint64_t time_of(unsigned how)
{
    return how & ACCESS_WORD && how & (ACCESS_WRITES | ACCESS_ATOMIC) ? tern_check_clocks_release()
                                                                      : tern_check_clocks_now();
}

/* The last access that was logged for a call without a record. */
static struct {
    bool is_left; /* to be reported when its call has a record */
    int target;
    uintptr_t start;
    uint64_t offset;
    struct tern_check_access access;
    struct tern_check_conflicts conflicts;
} word;

static void report_left(const struct tern_call *call)
{
    word.is_left = false;
    tern_check_race_report_conflicts(call, &word.access, word.target, word.start, word.offset,
                                     &word.conflicts);
}

static bool is_last_word(uint64_t when, uint32_t site, int target, uintptr_t start, uint64_t mask,
                         unsigned how)
{
    return word.start == start && word.access.when == when && word.access.mask == mask &&
           word.access.site == site && word.access.how == how && word.target == target;
}

/*
 * The same access once more has the same conflicts, since its PE has learned nothing in between. A
 * plain write may conflict with itself: it counts from the second time on.
 */
bool tern_check_access_log_add_word(uint32_t site, int target, uintptr_t start, uint64_t bytes,
                                    unsigned how, int ctx)
{
    struct tern_check_access *access = &word.access;
    uint64_t offset = offset_of(start), when = time_of(how |= ACCESS_WORD);
    uint64_t mask = tern_check_shadow_store_mask(bytes) << offset % 64;
    bool is_again = is_last_word(when, site, target, start, mask, how);

    if (offset % 64 + bytes > 64)
        return false;
    if (is_again && (word.conflicts.n > 0 || !(how & ACCESS_WRITES) || how & ACCESS_ATOMIC)) {
        word.is_left =
            word.conflicts.n > 0 && !tern_check_race_report_again(access, &word.conflicts);
        return !word.is_left;
    }
    *access = (struct tern_check_access){when, site, (uint16_t)how, (uint16_t)ctx, mask};
    word.target = target;
    word.start = start;
    word.offset = offset;
    word.conflicts.n = 0;
    if (tern_check_shadow_cells_has(target, offset >> LINE_BITS, access))
        return true;
    tern_check_shadow_add(target, offset, bytes, bytes, 1, access, &word.conflicts);
    word.is_left = word.conflicts.n > 0 && !tern_check_race_report_again(access, &word.conflicts);
    return !word.is_left;
}

void tern_check_access_log_add(const struct tern_call *call, int target,
                               const struct tern_check_pieces *pieces, unsigned how, int ctx)
{
    struct tern_check_conflicts conflicts;
    struct tern_check_access access;
    uint64_t offset;

    if (word.is_left) {
        report_left(call);
        return;
    }
    if (is_pointless(pieces) || target < 0 || !may_be_symmetric(pieces->start))
        return;
    if (may_be_flag(pieces, how))
        how |= ACCESS_WORD;
    offset = offset_of(pieces->start);
    access.when = time_of(how);
    access.site = tern_check_site_table_number(call);
    access.how = (uint16_t)how;
    access.ctx = (uint16_t)ctx;
    conflicts.n = 0; /* nothing else is initialized: it is large */
    tern_check_shadow_add(target, offset, pieces->bytes, pieces->stride, pieces->n, &access,
                          &conflicts);
    if (conflicts.n)
        tern_check_race_report_conflicts(call, &access, target, pieces->start, offset, &conflicts);
}

void tern_check_access_log_add_line(const struct tern_call *call, int target, uintptr_t line,
                                    uint64_t mask, unsigned how, uint64_t when)
{
    struct tern_check_access access = {
        .when = when, .site = tern_check_site_table_number(call), .how = (uint16_t)how};
    struct tern_check_conflicts conflicts;
    struct tern_check_shadow_query query = {target, &access, &conflicts};
    uint64_t offset = offset_of(line);

    conflicts.n = 0;
    tern_check_shadow_lines_add(&query, offset >> LINE_BITS, mask);
    if (conflicts.n)
        tern_check_race_report_conflicts(call, &access, target, line, offset, &conflicts);
}

void tern_check_access_log_add_page(const struct tern_call *call, uintptr_t page, uint64_t mask,
                                    unsigned how, uint64_t when)
{
    struct tern_check_access access = {
        .when = when, .site = tern_check_site_table_number(call), .how = (uint16_t)how};
    struct tern_check_conflicts conflicts;
    struct tern_check_shadow_query query = {tern_check_my_pe(), &access, &conflicts};
    uint64_t offset = offset_of(page);

    conflicts.n = 0;
    tern_check_shadow_lines_add_page(&query, offset >> 2 * LINE_BITS, mask);
    if (conflicts.n)
        tern_check_race_report_conflicts(call, &access, tern_check_my_pe(), page, offset,
                                         &conflicts);
}

void tern_check_access_log_check_private(const struct tern_call *call, uintptr_t start,
                                         uint64_t bytes, bool writes)
{
    const struct tern_check_private_buffer *buffer =
        tern_check_private_buffers_find(start, bytes, writes);

    if (buffer)
        tern_check_race_report_buffer(call, start, bytes, writes, buffer);
}

static void add_private(const struct tern_call *call, const struct tern_check_pieces *pieces,
                        bool writes, int ctx)
{
    const struct tern_check_private_buffer *buffer;

    for (uint64_t i = 0; i < pieces->n; i++) {
        uintptr_t start = pieces->start + i * pieces->stride;

        buffer = tern_check_private_buffers_find(start, pieces->bytes, writes);
        if (buffer) {
            tern_check_race_report_buffer(call, start, pieces->bytes, writes, buffer);
            break;
        }
    }
    for (uint64_t i = 0; i < pieces->n && ctx != CTX_AT_ONCE; i++)
        tern_check_private_buffers_add(pieces->start + i * pieces->stride, pieces->bytes, writes,
                                       ctx, tern_check_site_table_number(call));
}

void tern_check_access_log_add_local(const struct tern_call *call,
                                     const struct tern_check_pieces *pieces, bool writes, int ctx)
{
    if (is_pointless(pieces))
        return;
    if (may_be_symmetric(pieces->start))
        tern_check_access_log_add(call, tern_check_my_pe(), pieces,
                                  ACCESS_LOCAL | (writes ? ACCESS_WRITES : 0u), ctx);
    else
        add_private(call, pieces, writes, ctx);
}

void tern_check_access_log_await(uintptr_t start, uint64_t bytes)
{
    if (bytes <= MOST_BYTES && may_be_symmetric(start))
        tern_check_flags_await(tern_check_my_pe(), offset_of(start), bytes,
                               tern_check_clocks_now());
}

void tern_check_access_log_learn(int target, uintptr_t start, uint64_t bytes)
{
    if (bytes <= MOST_BYTES && may_be_symmetric(start))
        tern_check_flags_learn(target, offset_of(start), bytes);
}

void tern_check_access_log_pieces(struct tern_call *call, enum tern_role role,
                                  enum tern_role stride_role, struct tern_check_pieces *pieces)
{
    const struct tern_routine *routine = call->routine;
    uint64_t n = (uint64_t)tern_call_number(call, TERN_NELEMS, 1);

    pieces->start = (uintptr_t)tern_call_pointer(call, role);
    pieces->bytes = routine->element;
    if (routine->place[TERN_NBLOCKS]) {
        n = (uint64_t)tern_call_number(call, TERN_NBLOCKS, 0);
        pieces->bytes *= (uint64_t)tern_call_number(call, TERN_BSIZE, 0);
    }
    pieces->stride = (uint64_t)tern_call_number(call, stride_role, 1) * routine->element;
    pieces->n = n;
    if (routine->place[stride_role] && pieces->stride != pieces->bytes)
        return;
    pieces->bytes *= n; /* contiguous pieces are one */
    pieces->n = n > 0;
    tern_check_ishmem_is_byte(call, &pieces->start, &pieces->bytes);
}

void tern_check_access_log_quiet(int ctx)
{
    if (ctx == CTX_AT_ONCE)
        return;
    tern_check_clocks_quiet(ctx);
    tern_check_private_buffers_quiet(ctx);
}

void tern_check_access_log_quiet_all(void)
{
    for (int ctx = CTX_DEFAULT; ctx < MAX_CTXS; ctx++)
        tern_check_private_buffers_quiet(ctx);
    tern_check_clocks_quiet_all();
}

/* ---- locks, as words of an additional PE ---- */

void tern_check_access_log_clear_lock(const struct tern_call *call, const void *lock)
{
    struct tern_check_conflicts none = {.n = 0};
    struct tern_check_access access = {
        .when = tern_check_clocks_release(),
        .site = tern_check_site_table_number(call),
        .how = ACCESS_WRITES | ACCESS_ATOMIC | ACCESS_WORD,
        .ctx = CTX_AT_ONCE,
    };

    tern_check_shadow_add(tern_check_n_pes(), offset_of((uintptr_t)lock), sizeof(long), 0, 1,
                          &access, &none);
}

void tern_check_access_log_set_lock(const void *lock)
{
    tern_check_flags_learn(tern_check_n_pes(), offset_of((uintptr_t)lock), sizeof(long));
}

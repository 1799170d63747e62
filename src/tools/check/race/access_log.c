/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the places of addresses in the PEs' memory, and the words of what races there. */
#include "tools/check/race/access_log.h"

#include "tools/check/args/blocks.h"
#include "tools/check/args/static_objects.h"
#include "tools/check/race/flags.h"
#include "tools/check/race/private_buffers.h"
#include "tools/check/race/race_report.h"
#include "tools/check/race/shadow.h"
#include "tools/check/race/site_table.h"
#include "tools/check/shared/identity.h"
#include "tools/symmetric.h"

#define PLACE_BITS 50 /* of a place in a segment; one more says which segment */
#define MOST_BYTES (UINT64_C(1) << 45)

static bool may_be_symmetric(uintptr_t address)
{
    return tern_check_memory_spans(address) || tern_check_statics_span(address);
}

/* The same for all PEs, whatever their addresses are. */
static uint64_t place_of(uintptr_t address)
{
    const void *pointer = (const void *)address;
    uint64_t distance = address - tern_symmetric_base(pointer);

    return (distance & ((UINT64_C(1) << PLACE_BITS) - 1)) | (uint64_t)tern_program_has(pointer)
                                                                << PLACE_BITS;
}

/* Nothing, or what is reported as a mistake anyway. */
static bool is_pointless(const struct tern_check_pieces *pieces)
{
    uint64_t all;

    return !pieces->start || !pieces->n || !pieces->bytes || pieces->bytes > MOST_BYTES ||
           pieces->stride > MOST_BYTES ||
           __builtin_mul_overflow(pieces->n, pieces->stride | pieces->bytes, &all) ||
           all > MOST_BYTES;
}

/* Whether it may be an access to a flag: by another PE's call, at once. */
static bool is_brief(const struct tern_check_pieces *pieces, unsigned how)
{
    return pieces->n == 1 && pieces->bytes <= 8 && !(how & TERN_CHECK_LOCAL);
}

void tern_check_touch(const struct tern_call *call, int target,
                      const struct tern_check_pieces *pieces, unsigned how, int ctx)
{
    struct tern_check_races races;
    struct tern_check_mark mark;
    uint64_t place;

    if (is_pointless(pieces) || target < 0 || !may_be_symmetric(pieces->start))
        return;
    if (is_brief(pieces, how))
        how |= TERN_CHECK_BRIEF;
    place = place_of(pieces->start);
    mark.when = how & TERN_CHECK_BRIEF && how & (TERN_CHECK_WRITES | TERN_CHECK_ATOMIC)
                    ? tern_check_order_release()
                    : tern_check_order_now();
    mark.site = tern_check_site_number(call);
    mark.how = (uint16_t)how;
    mark.ctx = (uint16_t)ctx;
    races.n = 0; /* and nothing else, for it is large */
    tern_check_shadow_touch(target, place, pieces->bytes, pieces->stride, pieces->n, &mark, &races);
    if (races.n)
        tern_check_tell_races(call, &mark, target, pieces->start, place, &races);
}

static void touch_private(const struct tern_call *call, const struct tern_check_pieces *pieces,
                          bool writes, int ctx)
{
    const struct tern_check_buffer *buffer;

    for (uint64_t i = 0; i < pieces->n; i++) {
        uintptr_t start = pieces->start + i * pieces->stride;

        buffer = tern_check_buffers_find(start, pieces->bytes, writes);
        if (buffer) {
            tern_check_tell_buffer(call, start, pieces->bytes, writes, buffer);
            break;
        }
    }
    for (uint64_t i = 0; i < pieces->n && ctx != TERN_CHECK_AT_ONCE; i++)
        tern_check_buffers_add(pieces->start + i * pieces->stride, pieces->bytes, writes, ctx,
                               tern_check_site_number(call));
}

void tern_check_touch_local(const struct tern_call *call, const struct tern_check_pieces *pieces,
                            bool writes, int ctx)
{
    if (is_pointless(pieces))
        return;
    if (may_be_symmetric(pieces->start))
        tern_check_touch(call, tern_check_pe(), pieces,
                         TERN_CHECK_LOCAL | (writes ? TERN_CHECK_WRITES : 0u), ctx);
    else
        touch_private(call, pieces, writes, ctx);
}

void tern_check_touch_await(uintptr_t start, uint64_t bytes)
{
    if (bytes <= MOST_BYTES && may_be_symmetric(start))
        tern_check_flags_await(tern_check_pe(), place_of(start), bytes, tern_check_order_now());
}

void tern_check_touch_learn(int target, uintptr_t start, uint64_t bytes)
{
    if (bytes <= MOST_BYTES && may_be_symmetric(start))
        tern_check_flags_learn(target, place_of(start), bytes);
}

void tern_check_pieces_of(struct tern_call *call, enum tern_role role, enum tern_role stride_role,
                          struct tern_check_pieces *pieces)
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
    pieces->bytes *= n; /* without gaps they are one */
    pieces->n = n > 0;
}

void tern_check_touch_quiet(int ctx)
{
    if (ctx == TERN_CHECK_AT_ONCE)
        return;
    tern_check_order_quiet(ctx);
    tern_check_buffers_quiet(ctx);
}

void tern_check_touch_quiet_all(void)
{
    for (int ctx = TERN_CHECK_BY_DEFAULT; ctx < TERN_CHECK_CTXS; ctx++)
        tern_check_buffers_quiet(ctx);
    tern_check_order_quiet_all();
}

/* ---- locks, as words of a PE that there is not ---- */

void tern_check_touch_clear_lock(const struct tern_call *call, const void *lock)
{
    struct tern_check_races none = {.n = 0};
    struct tern_check_mark mark = {
        .when = tern_check_order_release(),
        .site = tern_check_site_number(call),
        .how = TERN_CHECK_WRITES | TERN_CHECK_ATOMIC | TERN_CHECK_BRIEF,
        .ctx = TERN_CHECK_AT_ONCE,
    };

    tern_check_shadow_touch(tern_check_n_pes(), place_of((uintptr_t)lock), sizeof(long), 0, 1,
                            &mark, &none);
}

void tern_check_touch_set_lock(const void *lock)
{
    tern_check_flags_learn(tern_check_n_pes(), place_of((uintptr_t)lock), sizeof(long));
}

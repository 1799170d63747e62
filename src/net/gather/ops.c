/* SPDX-License-Identifier: BSD-3-Clause */
/* Starts operations: gathers them, or passes them to the engine. */
#include "net/gather/ops.h"

#include <stdlib.h>
#include <string.h>

#include "net/apply.h"
#include "net/gather/order.h"

/* So many puts with fences between them go to the engine; more are worth the wait before a frame.
 */
#define FENCED_PUTS 4

static const struct tern_net_ops *engine(void)
{
    return tern_streams.engine;
}

/* Whether frames can have operations on that object. */
TERN_INLINE bool reaches(const struct tern_stream *stream, uint64_t offset)
{
    return tern_likely(tern_net_segment_of(offset) == TERN_NET_HEAP) || stream->reaches_static;
}

/* ---- counts and sessions, with the turn ---- */

static TERN_COLD void end_session_early(struct tern_order_channel *c)
{
    c->session_left = SIZE_MAX;
    while (tern_streams.n_pending)
        tern_stream_send(tern_streams.pending[tern_streams.n_pending - 1]);
}

/* Operations were added to the stream's frame. After the last one of a session nothing waits. */
TERN_INLINE void added(struct tern_order_channel *c, struct tern_stream *stream, uint32_t entries)
{
    tern_stream_added(stream, entries, c->session);
    if (tern_unlikely(c->session) && c->session_left != SIZE_MAX && --c->session_left == 0)
        end_session_early(c);
}

TERN_INLINE void count_write(struct tern_order_channel *c)
{
    tern_store_relaxed(&c->writes, c->writes + 1);
}

TERN_INLINE void count_read(struct tern_order_channel *c)
{
    tern_store_relaxed(&c->reads, c->reads + 1);
}

/* ---- the entries of atomic operations ---- */

struct amo {
    uint64_t words[3];
    uint32_t n_words;
};

/* op: with TERN_ENTRY_FETCHES if the old value is sent back. */
TERN_INLINE struct amo pack_amo(const struct tern_stream_target *to, unsigned op, unsigned width,
                                uint64_t dest, uint64_t operand, uint64_t compare)
{
    bool compares = (op & ~(unsigned)TERN_ENTRY_FETCHES) == TERN_NET_COMPARE_SWAP;
    uint64_t of_short = compares ? 0
                                 : tern_entry_pack_short(to->place, tern_streams.distance_bits,
                                                         dest, op, width, operand);

    if (of_short)
        return (struct amo){.words = {of_short}, .n_words = 1};
    return (struct amo){
        .words = {tern_entry_pack(to->place, dest, op, width), operand, compare},
        .n_words = compares ? 3 : 2,
    };
}

TERN_INLINE void fill_amo(uint64_t *at, const struct amo *amo)
{
    for (uint32_t i = 0; i < amo->n_words; i++)
        at[i] = amo->words[i];
}

/* ---- puts ---- */

/*
 * The first put after a quiet goes to the engine, whose puts are faster than a frame: a program
 * that puts a word and calls quiet has no use for frames. The engine also orders its puts without
 * a wait, so a few more follow if there is a fence between them.
 */
static bool goes_alone(const struct tern_order_channel *c, const struct tern_stream *stream)
{
    uint32_t passed = tern_load_relaxed(&c->passed) - tern_load_relaxed(&c->passed_done);
    bool fenced = tern_load_relaxed(&c->fences) != tern_load_relaxed(&c->fences_of_passed);

    if (passed && (passed >= FENCED_PUTS || !fenced))
        return false;
    return !c->session && tern_stream_is_idle(stream);
}

TERN_INLINE bool gathers_put(const struct tern_order_channel *c,
                             const struct tern_stream_target *to, uint64_t dest, size_t bytes)
{
    return bytes <= TERN_ENTRY_PUT_BYTES && reaches(to->stream, dest) && !goes_alone(c, to->stream);
}

/* A put of a small integer as a short entry that sets it, or 0. */
TERN_INLINE uint64_t short_put(const struct tern_stream_target *to, uint64_t dest,
                               const void *source, size_t bytes)
{
    uint64_t value;
    uint32_t half;

    if (bytes == 8) {
        memcpy(&value, source, 8);
    } else if (bytes == 4) {
        memcpy(&half, source, 4);
        value = half;
    } else {
        return 0;
    }
    return tern_entry_pack_short(to->place, tern_streams.distance_bits, dest, TERN_NET_SET, bytes,
                                 value);
}

TERN_INLINE uint32_t words_of_put(uint64_t of_short, size_t bytes)
{
    return of_short ? 1 : 1 + tern_entry_words(bytes);
}

TERN_INLINE void fill_put(uint64_t *at, uint64_t of_short, const struct tern_stream_target *to,
                          uint64_t dest, const void *source, size_t bytes)
{
    if (of_short) {
        *at = of_short;
    } else {
        *at = tern_entry_pack(to->place, dest, TERN_ENTRY_PUT, bytes);
        tern_net_store(at + 1, source, bytes);
    }
}

static void gather_put(struct tern_order_channel *c, const struct tern_stream_target *to,
                       uint64_t dest, const void *source, size_t bytes)
{
    uint64_t of_short = short_put(to, dest, source, bytes), *at;

    tern_order_before_gather(c);
    tern_turn_take();
    at = tern_stream_add(to->stream, words_of_put(of_short, bytes));
    fill_put(at, of_short, to, dest, source, bytes);
    count_write(c);
    added(c, to->stream, 1);
    tern_turn_give();
}

static void tend(void)
{
    if (!tern_load_relaxed(&tern_streams.n_pending))
        return;
    tern_turn_take();
    tern_stream_tend();
    tern_turn_give();
}

static void put(struct tern_net_channel *handle, uint64_t dest, const void *source, size_t bytes,
                int pe)
{
    struct tern_order_channel *c = tern_order_channel(handle);
    const struct tern_stream_target *to = tern_stream_find(pe);

    if (tern_likely(gathers_put(c, to, dest, bytes))) {
        gather_put(c, to, dest, source, bytes);
        return;
    }
    tern_order_before_pass(c, pe);
    engine()->put(c->engine, dest, source, bytes, pe);
    tern_order_passed(c);
    tend(); /* the engine may have waited, and taken answers */
}

static void put_nbi(struct tern_net_channel *handle, uint64_t dest, const void *source,
                    size_t bytes, int pe)
{
    struct tern_order_channel *c = tern_order_channel(handle);
    const struct tern_stream_target *to = tern_stream_find(pe);

    if (tern_likely(gathers_put(c, to, dest, bytes))) {
        gather_put(c, to, dest, source, bytes);
        return;
    }
    tern_order_before_pass(c, pe);
    engine()->put_nbi(c->engine, dest, source, bytes, pe);
    tern_order_passed(c);
}

/* A gathered put is complete for its group at once: source has been copied. */
static void put_group(struct tern_net_channel *handle, uint64_t dest, const void *source,
                      size_t bytes, struct tern_net_group *group, int pe)
{
    struct tern_order_channel *c = tern_order_channel(handle);
    const struct tern_stream_target *to = tern_stream_find(pe);

    if (gathers_put(c, to, dest, bytes)) {
        gather_put(c, to, dest, source, bytes);
        return;
    }
    tern_order_before_pass(c, pe);
    engine()->put_group(c->engine, dest, source, bytes, group, pe);
    tern_order_passed(c);
}

/* A few short blocks are as many puts; more of them are denser in a message of their own. */
static void scatter(struct tern_net_channel *handle, uint64_t dest, size_t dst, const void *source,
                    size_t bytes, size_t n, int pe)
{
    struct tern_order_channel *c = tern_order_channel(handle);
    const struct tern_stream_target *to = tern_stream_find(pe);

    if (gathers_put(c, to, dest, bytes * n)) {
        for (size_t i = 0; i < n; i++)
            gather_put(c, to, dest + i * dst, (const char *)source + i * bytes, bytes);
        return;
    }
    tern_order_before_pass(c, pe);
    engine()->scatter(c->engine, dest, dst, source, bytes, n, pe);
    tern_order_passed(c);
}

static void put_signal(struct tern_net_channel *handle, uint64_t dest, const void *source,
                       size_t bytes, uint64_t sig_addr, uint64_t signal, enum tern_net_op op,
                       bool nbi, int pe)
{
    struct tern_order_channel *c = tern_order_channel(handle);
    const struct tern_stream_target *to = tern_stream_find(pe);
    uint64_t of_short = short_put(to, dest, source, bytes), *at;
    uint32_t data_words = bytes ? words_of_put(of_short, bytes) : 0;
    struct amo amo = pack_amo(to, op, 8, sig_addr, signal, 0);

    if (bytes > TERN_ENTRY_PUT_BYTES || !reaches(to->stream, dest) ||
        !reaches(to->stream, sig_addr)) {
        tern_order_before_pass(c, pe);
        engine()->put_signal(c->engine, dest, source, bytes, sig_addr, signal, op, nbi, pe);
        tern_order_passed(c);
        return;
    }
    tern_order_before_gather(c);
    tern_turn_take();
    at = tern_stream_add(to->stream, data_words + amo.n_words);
    if (bytes)
        fill_put(at, of_short, to, dest, source, bytes);
    fill_amo(at + data_words, &amo);
    count_write(c);
    added(c, to->stream, bytes ? 2 : 1);
    tern_turn_give();
}

/* ---- gets ---- */

/* Returns how many frames have to be answered until dest has the data. */
static uint32_t gather_get(struct tern_order_channel *c, const struct tern_stream_target *to,
                           void *dest, uint64_t source, size_t bytes, struct tern_net_group *group,
                           bool waits)
{
    struct tern_stream *stream = to->stream;
    uint32_t frames;
    uint64_t *at;

    tern_turn_take();
    at = tern_stream_add_with_result(stream, 1, dest, (uint32_t)bytes, group);
    *at = tern_entry_pack(to->place, source, TERN_ENTRY_GET, bytes);
    count_read(c);
    added(c, stream, 1);
    if (waits && stream->n)
        tern_stream_send(stream);
    frames = stream->sent;
    tern_turn_give();
    return frames;
}

/*
 * A short get behind operations that wait or are under way goes with them, and so sees what they
 * have done. Others are faster by themselves.
 */
static void get(struct tern_net_channel *handle, void *dest, uint64_t source, size_t bytes, int pe)
{
    struct tern_order_channel *c = tern_order_channel(handle);
    const struct tern_stream_target *to = tern_stream_find(pe);

    if (bytes <= TERN_ENTRY_GET_BYTES && reaches(to->stream, source) &&
        !tern_stream_is_idle(to->stream)) {
        tern_stream_await(to->stream, gather_get(c, to, dest, source, bytes, NULL, true));
    } else {
        tern_stream_flush(to->stream);
        engine()->get(c->engine, dest, source, bytes, pe);
    }
    tend(); /* as in put() */
}

static void get_nbi(struct tern_net_channel *handle, void *dest, uint64_t source, size_t bytes,
                    int pe)
{
    struct tern_order_channel *c = tern_order_channel(handle);
    const struct tern_stream_target *to = tern_stream_find(pe);

    if (tern_likely(bytes <= TERN_ENTRY_GET_BYTES && reaches(to->stream, source)))
        gather_get(c, to, dest, source, bytes, NULL, false);
    else
        engine()->get_nbi(c->engine, dest, source, bytes, pe);
}

static void get_group(struct tern_net_channel *handle, void *dest, uint64_t source, size_t bytes,
                      struct tern_net_group *group, int pe)
{
    struct tern_order_channel *c = tern_order_channel(handle);
    const struct tern_stream_target *to = tern_stream_find(pe);

    if (bytes <= TERN_ENTRY_GET_BYTES && reaches(to->stream, source)) {
        tern_fetch_add(&group->left, 1);
        gather_get(c, to, dest, source, bytes, group, false);
    } else {
        engine()->get_group(c->engine, dest, source, bytes, group, pe);
    }
}

/* ---- atomic operations ---- */

/* Whether a frame can have it with its result: see TERN_ENTRY_FETCHES. */
TERN_INLINE bool gathers_fetch(const struct tern_stream *stream, enum tern_net_op op, uint64_t dest)
{
    return reaches(stream, dest) && op != TERN_NET_SET;
}

/* As gather_get(). */
static uint32_t gather_fetch(struct tern_order_channel *c, enum tern_net_op op, unsigned width,
                             const struct tern_stream_target *to, uint64_t dest, uint64_t operand,
                             uint64_t compare, void *fetch, struct tern_net_group *group,
                             bool waits)
{
    struct tern_stream *stream = to->stream;
    struct amo amo = pack_amo(to, op | TERN_ENTRY_FETCHES, width, dest, operand, compare);
    uint32_t frames;

    tern_order_before_gather(c);
    tern_turn_take();
    fill_amo(tern_stream_add_with_result(stream, amo.n_words, fetch, width, group), &amo);
    count_write(c);
    added(c, stream, 1);
    if (waits && stream->n)
        tern_stream_send(stream);
    frames = stream->sent;
    tern_turn_give();
    return frames;
}

static void update(struct tern_net_channel *handle, enum tern_net_op op, unsigned width,
                   uint64_t dest, uint64_t operand, int pe)
{
    struct tern_order_channel *c = tern_order_channel(handle);
    const struct tern_stream_target *to = tern_stream_find(pe);
    struct tern_stream *stream = to->stream;
    uint64_t of_short, *at;

    if (tern_unlikely(!reaches(stream, dest))) {
        tern_order_before_pass(c, pe);
        engine()->update(c->engine, op, width, dest, operand, pe);
        tern_order_passed(c);
        return;
    }
    of_short =
        tern_entry_pack_short(to->place, tern_streams.distance_bits, dest, op, width, operand);
    tern_order_before_gather(c);
    tern_turn_take();
    if (of_short) {
        at = tern_stream_add(stream, 1);
        at[0] = of_short;
    } else {
        at = tern_stream_add(stream, 2);
        at[0] = tern_entry_pack(to->place, dest, op, width);
        at[1] = operand;
    }
    count_write(c);
    added(c, stream, 1);
    tern_turn_give();
}

/* The old value is waited for. Behind other operations it travels with them, as in get(). */
static void amo(struct tern_net_channel *handle, enum tern_net_op op, unsigned width, uint64_t dest,
                uint64_t operand, uint64_t compare, uint64_t *fetch, int pe)
{
    struct tern_order_channel *c = tern_order_channel(handle);
    const struct tern_stream_target *to = tern_stream_find(pe);

    if (tern_stream_is_idle(to->stream) || !gathers_fetch(to->stream, op, dest)) {
        tern_order_before_pass(c, pe);
        engine()->amo(c->engine, op, width, dest, operand, compare, fetch, pe);
        tern_order_passed(c);
    } else {
        *fetch = 0;
        tern_stream_await(
            to->stream, gather_fetch(c, op, width, to, dest, operand, compare, fetch, NULL, true));
    }
    tend();
}

static void amo_nbi(struct tern_net_channel *handle, enum tern_net_op op, unsigned width,
                    uint64_t dest, uint64_t operand, uint64_t compare, void *fetch, int pe)
{
    struct tern_order_channel *c = tern_order_channel(handle);
    const struct tern_stream_target *to = tern_stream_find(pe);

    if (tern_likely(gathers_fetch(to->stream, op, dest))) {
        gather_fetch(c, op, width, to, dest, operand, compare, fetch, NULL, false);
    } else {
        tern_order_before_pass(c, pe);
        engine()->amo_nbi(c->engine, op, width, dest, operand, compare, fetch, pe);
        tern_order_passed(c);
    }
}

static void amo_group(struct tern_net_channel *handle, enum tern_net_op op, unsigned width,
                      uint64_t dest, uint64_t operand, uint64_t compare, void *fetch,
                      struct tern_net_group *group, int pe)
{
    struct tern_order_channel *c = tern_order_channel(handle);
    const struct tern_stream_target *to = tern_stream_find(pe);

    if (fetch && gathers_fetch(to->stream, op, dest)) {
        tern_fetch_add(&group->left, 1);
        gather_fetch(c, op, width, to, dest, operand, compare, fetch, group, false);
    } else {
        tern_order_before_pass(c, pe);
        engine()->amo_group(c->engine, op, width, dest, operand, compare, fetch, group, pe);
        tern_order_passed(c);
    }
}

/* ---- channels ---- */

static struct tern_net_channel *channel_open(void)
{
    struct tern_net_channel *of_engine = engine()->channel_open();
    struct tern_order_channel *c;

    if (!of_engine)
        return NULL;
    c = calloc(1, sizeof *c);
    if (!c)
        tern_streams.host->no_memory(NULL, "a context", sizeof *c);
    c->engine = of_engine;
    return (struct tern_net_channel *)c;
}

static void channel_close(struct tern_net_channel *handle)
{
    if (!handle)
        return;
    engine()->channel_close(tern_order_channel(handle)->engine);
    free(handle);
}

void tern_ops_fill(struct tern_net_ops *ops)
{
    ops->channel_open = channel_open;
    ops->channel_close = channel_close;
    ops->put = put;
    ops->put_nbi = put_nbi;
    ops->get = get;
    ops->get_nbi = get_nbi;
    ops->scatter = scatter;
    ops->put_signal = put_signal;
    ops->update = update;
    ops->amo = amo;
    ops->amo_nbi = amo_nbi;
    ops->put_group = put_group;
    ops->get_group = get_group;
    ops->amo_group = amo_group;
    ops->fence = tern_order_fence;
    ops->quiet = tern_order_quiet;
    ops->is_quiet = tern_order_is_quiet;
    ops->count = tern_order_count;
    ops->session = tern_order_session;
}

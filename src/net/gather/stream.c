/* SPDX-License-Identifier: BSD-3-Clause */
/* Fills, sends and awaits the frames of streams. */
#include "net/gather/stream.h"

#include <stdlib.h>
#include <string.h>

#include "base/os.h"
#include "net/gather/answer.h"

/* On larger nodes, one PE in so many groups of neighbours receives for its group. */
#define RECEIVERS 8

/* In a session, operations wait until their number has not changed for so long. */
#define SESSION_IDLE_NS 1000000u

TERN_PE_LOCAL struct tern_streams tern_streams;

static TERN_PE_LOCAL pthread_mutex_t making = PTHREAD_MUTEX_INITIALIZER;

/* ---- creation ---- */

static void *make_table(size_t n, size_t bytes)
{
    void *table = calloc(n, bytes);

    if (!table)
        tern_streams.host->no_memory(NULL, "the nodes of this job", n * bytes);
    return table;
}

void tern_stream_start(const struct tern_net_ops *engine)
{
    struct tern_streams *all = &tern_streams;
    size_t n = (size_t)all->job->n_nodes, limit = all->job->frame_bytes / 8;
    uint32_t room = tern_buffer_start(all->job->memory_bytes, n);

    all->engine = engine;
    all->limit = limit < room ? (uint32_t)limit : room;
    all->distance_bits = tern_entry_distance_bits(all->job->nodes, all->job->n_nodes);
    all->all = make_table(n, sizeof *all->all);
    all->used = make_table(n, sizeof *all->used);
    all->pending = make_table(n, sizeof *all->pending);
    all->targets = make_table((size_t)all->host->n_pes, sizeof *all->targets);
}

static bool shares_static(const struct tern_pe_range *pes)
{
    for (int i = 0; i < pes->size; i++)
        if (!tern_streams.job->shares_static(tern_pe_range_world(pes, i)))
            return false;
    return true;
}

static struct tern_stream *make_stream(int node)
{
    struct tern_streams *all = &tern_streams;
    size_t bytes = (sizeof(struct tern_stream) + TERN_LINE - 1) / TERN_LINE * TERN_LINE;
    struct tern_stream *stream = aligned_alloc(TERN_LINE, bytes);

    if (!stream)
        all->host->no_memory(NULL, "frames for another node", bytes);
    memset(stream, 0, bytes);
    stream->pes = &all->job->nodes[node];
    stream->words = stream->limit = all->limit;
    stream->receiver = stream->pes->start;
    stream->reaches_static = shares_static(stream->pes);
    all->all[node] = all->used[all->n_used] = stream;
    tern_store_release(&all->n_used, all->n_used + 1); /* partner: tern_stream_complete_all() */
    return stream;
}

static int node_of(int pe)
{
    int node = 0;

    while (tern_pe_range_find(&tern_streams.job->nodes[node], pe) < 0)
        node++;
    return node;
}

const struct tern_stream_target *tern_stream_make(int pe)
{
    struct tern_streams *all = &tern_streams;
    struct tern_stream_target *target = &all->targets[pe];
    int node = node_of(pe);

    pthread_mutex_lock(&making);
    if (!target->stream) {
        struct tern_stream *stream = all->all[node];

        if (!stream)
            stream = make_stream(node);
        target->place = (uint64_t)tern_pe_range_find(stream->pes, pe) << all->distance_bits;
        tern_store_release(&target->stream, stream); /* partner: tern_stream_find() */
    }
    pthread_mutex_unlock(&making);
    return target;
}

/* ---- sending ---- */

bool tern_stream_is_lost(const struct tern_stream *stream)
{
    return tern_streams.engine->reaches(tern_load_relaxed(&stream->receiver)) != 0;
}

/* The PE that receives frames whose first operation is on member i of the node. */
static int receiver_for(const struct tern_stream *stream, int i)
{
    int group = (stream->pes->size + RECEIVERS - 1) / RECEIVERS;

    return tern_pe_range_world(stream->pes, i - i % group);
}

void tern_stream_begin_waiting(struct tern_stream *stream)
{
    struct tern_streams *all = &tern_streams;

    stream->pending_at = all->n_pending;
    all->pending[all->n_pending] = stream;
    tern_store_relaxed(&all->n_pending, all->n_pending + 1);
}

static void end_waiting(struct tern_stream *stream)
{
    struct tern_streams *all = &tern_streams;
    struct tern_stream *last = all->pending[all->n_pending - 1];

    all->pending[stream->pending_at] = last;
    last->pending_at = stream->pending_at;
    tern_store_release(&all->n_pending, all->n_pending - 1); /* partner: tern_stream_flush_all() */
}

/* Gives back the buffers of frames that were answered. */
static bool reclaim(struct tern_stream *stream)
{
    uint32_t answered = tern_load_acquire(&stream->answered); /* partner: tern_answer_take() */
    bool some = stream->answered_before != answered;

    while (stream->answered_before != answered)
        tern_buffer_give(stream->under_way[stream->answered_before++ % TERN_STREAM_FRAMES]);
    return some;
}

static bool has_room(const void *arg)
{
    const struct tern_stream *stream = arg;

    return tern_stream_under_way(stream) < TERN_STREAM_FRAMES || tern_stream_is_lost(stream);
}

static void choose_receiver(struct tern_stream *stream)
{
    uint64_t first = stream->buffer->words[0];
    int receiver = receiver_for(stream, (int)tern_entry_pe(first, tern_streams.distance_bits));

    tern_stream_find(receiver); /* for tern_answer_take() */
    tern_store_relaxed(&stream->receiver, receiver);
}

static void post(struct tern_stream *stream, struct tern_buffer *buffer, uint32_t words)
{
    reclaim(stream);
    stream->under_way[stream->sent % TERN_STREAM_FRAMES] = buffer;
    tern_store_relaxed(&tern_streams.sent, tern_streams.sent + 1);
    tern_store_release(&stream->sent, stream->sent + 1); /* partner: tern_answer_take() */
    tern_streams.engine->frame(stream->receiver, buffer->words, words * sizeof(uint64_t));
}

void tern_stream_send(struct tern_stream *stream)
{
    struct tern_buffer *buffer = stream->buffer;
    uint32_t words = stream->words;
    bool lost;

    if (!has_room(stream))
        tern_streams.engine->await(stream->receiver, has_room, stream);
    if (!tern_stream_under_way(stream))
        choose_receiver(stream);
    stream->buffer = NULL;
    stream->words = stream->limit;
    stream->result_words = 0;
    lost = tern_stream_is_lost(stream);
    if (!lost)
        post(stream, buffer, words);
    tern_store_release(&stream->n, 0); /* partner: tern_stream_flush() */
    end_waiting(stream);
    if (lost) {
        tern_answer_give_up(buffer);
        tern_buffer_give(buffer);
        return;
    }
    tern_streams.engine
        ->progress(); /* who starts one operation after the other takes answers too */
}

/* ---- filling ---- */

static bool any_answered(const void *arg)
{
    const uint32_t *answered = arg;

    return tern_load_acquire(&tern_streams.answered) !=
               *answered || /* partner: tern_answer_take() */
           tern_load_relaxed(&tern_streams.losses);
}

/* NULL: the bound of memory for frames is reached, and `beyond` does not ignore it. */
static struct tern_buffer *take_buffer(bool beyond)
{
    struct tern_buffer *buffer;

    if (tern_unlikely(tern_buffer_take(beyond, &buffer) != 0))
        tern_streams.host->no_memory(NULL, "a frame for another node",
                                     tern_streams.limit * sizeof(uint64_t));
    return buffer;
}

/* All memory for frames is in use: sends what waits, and waits for an answer. */
static TERN_COLD struct tern_buffer *wait_for_buffer(void)
{
    struct tern_streams *all = &tern_streams;
    struct tern_buffer *buffer;

    do {
        uint32_t answered = tern_load_acquire(&all->answered); /* partner: tern_answer_take() */
        bool some = false;

        for (uint32_t i = 0; i < all->n_used; i++)
            some |= reclaim(all->used[i]);
        while (!some && all->n_pending)
            tern_stream_send(all->pending[all->n_pending - 1]);
        if (!some)
            all->engine->await(-1, any_answered, &answered);
        buffer = take_buffer(tern_load_relaxed(&all->losses) > 0);
    } while (!buffer);
    return buffer;
}

void tern_stream_make_room(struct tern_stream *stream)
{
    if (stream->n)
        tern_stream_send(stream);
    reclaim(stream);
    stream->buffer = take_buffer(false);
    if (!stream->buffer)
        stream->buffer = wait_for_buffer();
    stream->words = 0;
}

uint64_t *tern_stream_add_with_result(struct tern_stream *stream, uint32_t words, void *dest,
                                      uint32_t bytes, struct tern_net_group *group)
{
    uint32_t result_words = tern_entry_words(bytes);
    struct tern_buffer *buffer = stream->buffer;
    uint64_t *at;

    if (tern_unlikely(stream->result_words + result_words > TERN_FRAME_WORDS) ||
        tern_unlikely(buffer && !tern_buffer_has_room(buffer)))
        tern_stream_make_room(stream);
    at = tern_stream_add(stream, words);
    stream->result_words += result_words;
    tern_buffer_add_place(stream->buffer, dest, bytes, group);
    return at;
}

/* ---- when frames go out ---- */

void tern_stream_tend(void)
{
    struct tern_streams *all = &tern_streams;

    if (tern_load_relaxed(&all->sessions))
        return;
    for (uint32_t i = all->n_pending; i--;)
        if (!tern_stream_under_way(all->pending[i]))
            tern_stream_send(all->pending[i]);
}

/* A frame that another thread has taken counts as sent when this one sees that none waits. */
void tern_stream_flush(struct tern_stream *stream)
{
    if (!tern_load_acquire(&stream->n)) /* partner: tern_stream_send() */
        return;
    tern_turn_take();
    if (stream->n)
        tern_stream_send(stream);
    tern_turn_give();
}

void tern_stream_flush_all(void)
{
    struct tern_streams *all = &tern_streams;

    if (!tern_load_acquire(&all->n_pending)) /* partner: end_waiting() */
        return;
    tern_turn_take();
    while (all->n_pending)
        tern_stream_send(all->pending[all->n_pending - 1]);
    tern_turn_give();
}

/* Whether the program has not added to the frame for a while. */
static bool is_left(struct tern_stream *stream)
{
    uint64_t now = tern_os_now_ns();

    if (stream->seen == stream->n && now - stream->seen_at >= SESSION_IDLE_NS)
        return true;
    if (stream->seen != stream->n)
        stream->seen_at = now;
    stream->seen = stream->n;
    return false;
}

bool tern_stream_attend(void)
{
    struct tern_streams *all = &tern_streams;
    bool some;

    if (!tern_load_relaxed(&all->n_pending))
        return false;
    if (!tern_turn_try())
        return true;
    for (uint32_t i = all->n_pending; i--;) {
        struct tern_stream *stream = all->pending[i];

        if (!tern_stream_under_way(stream) &&
            (!tern_load_relaxed(&all->sessions) || is_left(stream)))
            tern_stream_send(stream);
    }
    some = all->n_pending > 0;
    tern_turn_return();
    return some;
}

/* ---- completion ---- */

struct frames {
    const struct tern_stream *stream;
    uint32_t sent;
};

static bool are_answered(const void *arg)
{
    const struct frames *frames = arg;
    uint32_t answered = tern_load_acquire(&frames->stream->answered); /* tern_answer_take() */

    return (int32_t)(frames->sent - answered) <= 0 || tern_stream_is_lost(frames->stream);
}

void tern_stream_await(const struct tern_stream *stream, uint32_t sent)
{
    struct frames frames = {stream, sent};

    if (!are_answered(&frames) || tern_unlikely(tern_stream_is_lost(stream)))
        tern_streams.engine->await(tern_load_relaxed(&stream->receiver), are_answered, &frames);
}

void tern_stream_complete(struct tern_stream *stream)
{
    tern_stream_flush(stream);
    tern_stream_await(stream, tern_load_relaxed(&stream->sent));
}

void tern_stream_complete_all(void)
{
    struct tern_streams *all = &tern_streams;
    uint32_t n;

    tern_stream_flush_all();
    if (tern_load_relaxed(&all->sent) == tern_load_acquire(&all->answered)) /* tern_answer_take() */
        return;
    n = tern_load_acquire(&all->n_used); /* partner: make_stream() */
    for (uint32_t i = 0; i < n; i++)
        tern_stream_await(all->used[i], tern_load_relaxed(&all->used[i]->sent));
}

bool tern_stream_all_done(void)
{
    struct tern_streams *all = &tern_streams;
    uint32_t n;

    if (tern_load_acquire(&all->n_pending)) /* partner: end_waiting() */
        return false;
    if (tern_load_relaxed(&all->sent) == tern_load_acquire(&all->answered)) /* tern_answer_take() */
        return true;
    n = tern_load_acquire(&all->n_used); /* partner: make_stream() */
    for (uint32_t i = 0; i < n; i++)
        if (tern_stream_under_way(all->used[i]) && !tern_stream_is_lost(all->used[i]))
            return false;
    return true;
}

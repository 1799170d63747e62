/* SPDX-License-Identifier: BSD-3-Clause */
/* Takes answers, and ends the frames of lost PEs. */
#include "net/gather/answer.h"

#include "net/apply.h"
#include "net/gather/stream.h"

static void count_down(uint64_t group)
{
    struct tern_net_group *g = (struct tern_net_group *)(uintptr_t)group;

    /* Release: partner is the load of whoever waits for the group. */
    __atomic_fetch_sub(&g->left, 1, __ATOMIC_RELEASE);
}

/* Results in the order of their places; what does not follow from the frame is dropped. */
static void store_results(const struct tern_buffer *buffer, const uint64_t *at, const uint64_t *end)
{
    const uint64_t *place = buffer->end;
    const uint64_t *last = place - buffer->n_places;

    while (place != last) {
        uint64_t to = *--place;
        uint32_t bytes = (uint32_t)(to >> TERN_PLACE_LENGTH & 127) + 1;
        void *dest = (void *)(uintptr_t)(to & ((UINT64_C(1) << TERN_PLACE_LENGTH) - 1));

        if (tern_entry_words(bytes) > end - at)
            return;
        tern_net_store(dest, at, bytes);
        at += tern_entry_words(bytes);
        if (tern_unlikely(to & TERN_PLACE_GROUP))
            count_down(*--place);
    }
}

void tern_answer_take(int from, const void *answer, size_t bytes)
{
    bool known = tern_streams.targets && from < tern_streams.host->n_pes;
    struct tern_stream *stream = known ? tern_stream_of(from) : NULL;
    const uint64_t *results = answer;
    uint32_t answered;

    if (!stream || tern_load_relaxed(&stream->receiver) != from || tern_stream_is_lost(stream))
        return;
    answered = tern_load_relaxed(&stream->answered);
    if (answered == tern_load_acquire(&stream->sent)) /* partner: tern_stream_send() */
        return;
    store_results(stream->under_way[answered % TERN_STREAM_FRAMES], results, results + bytes / 8);
    /* Partners: tern_stream_under_way() and the waits in stream.c. */
    tern_store_release(&stream->answered, answered + 1);
    tern_store_release(&tern_streams.answered, tern_load_relaxed(&tern_streams.answered) + 1);
}

void tern_answer_give_up(struct tern_buffer *buffer)
{
    const uint64_t *place = buffer->end;
    const uint64_t *last = place - buffer->n_places;

    while (place != last)
        if (*--place & TERN_PLACE_GROUP)
            count_down(*--place);
    buffer->n_places = 0;
}

static void give_up_stream(struct tern_stream *stream)
{
    uint32_t answered = tern_load_acquire(&stream->answered); /* partner: tern_answer_take() */

    while (answered != stream->sent)
        tern_answer_give_up(stream->under_way[answered++ % TERN_STREAM_FRAMES]);
}

void tern_answer_sweep(void)
{
    struct tern_streams *all = &tern_streams;
    uint32_t losses = tern_load_acquire(&all->losses); /* partner: lost() in gather.c */

    if (all->swept == losses)
        return;
    tern_turn_take();
    for (uint32_t i = 0; i < all->n_used; i++)
        if (tern_stream_is_lost(all->used[i]))
            give_up_stream(all->used[i]);
    all->swept = losses;
    tern_turn_give();
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A stream: the frames from this PE to the PEs of one node. They are filled, sent, carried out and
 * answered in order.
 *
 * One PE of the node receives the frames that are under way, and carries them out for all of its
 * PEs. When none is under way, the next frame goes to the PE of its first operation, or to a
 * neighbour that stands for it on large nodes. So an operation by itself goes to its target.
 *
 * While a frame is under way, operations are gathered; otherwise an operation is sent at once. So
 * operations that wait have a frame ahead of them, whose answer sends them. They are also sent when
 * the frame is full, and when the PE waits.
 *
 * Functions that the engine calls while it holds locks do not take the turn (net/gather/turn.h).
 * They only write `answered` and the memory where results go.
 */
#ifndef TERN_NET_GATHER_STREAM_H
#define TERN_NET_GATHER_STREAM_H

#include "base/atomics.h"
#include "base/pe_range.h"
#include "net/gather/buffer.h"
#include "net/gather/gather.h"
#include "net/gather/turn.h"

#define TERN_STREAM_FRAMES 8 /* under way at most; a power of two */

struct tern_stream {
    struct tern_buffer *buffer; /* that is being filled, or NULL */
    uint32_t words, limit;      /* of it; words is limit without a buffer */
    uint32_t n;                 /* operations in it */
    uint32_t result_words;      /* of its answer */
    uint32_t sent;              /* frames */
    uint32_t answered_before;   /* frames whose buffers were given back */
    uint32_t pending_at;        /* index among the streams with operations that wait */
    int receiver;               /* of the frames under way */
    bool reaches_static;        /* the node's PEs share their static data */
    uint32_t seen;              /* `n` when the engine's thread looked */
    uint64_t seen_at;           /* that was first seen, in nanoseconds */
    const struct tern_pe_range *pes;
    struct tern_buffer *under_way[TERN_STREAM_FRAMES];
    TERN_ALIGNED(TERN_LINE) uint32_t answered; /* frames; with release, after their results */
};

/* What a PE of another node is to its stream. */
struct tern_stream_target {
    struct tern_stream *stream; /* NULL until the first operation */
    uint64_t place;             /* of its segments, for entries */
};

struct tern_streams {
    const struct tern_net_ops *engine;
    const struct tern_net_host *host;
    const struct tern_gather_job *job;
    struct tern_stream_target *targets; /* by PE */
    struct tern_stream **all;           /* by node */
    struct tern_stream **used;          /* those that exist */
    struct tern_stream **pending;       /* those with operations that wait */
    uint32_t n_used, n_pending;
    uint32_t limit; /* words in a frame */
    unsigned distance_bits;
    uint32_t sent;                             /* frames of all streams */
    uint32_t losses;                           /* PEs that were lost */
    uint32_t swept;                            /* losses whose frames have been given up */
    uint32_t sessions;                         /* channels with a session */
    TERN_ALIGNED(TERN_LINE) uint32_t answered; /* frames of all streams */
};

extern TERN_PE_LOCAL struct tern_streams tern_streams;

/* Once the host and the job are known. */
void tern_stream_start(const struct tern_net_ops *engine);

/* The target of a PE's operations, which is made at the first one. */
const struct tern_stream_target *tern_stream_make(int pe) TERN_COLD;

TERN_INLINE const struct tern_stream_target *tern_stream_find(int pe)
{
    const struct tern_stream_target *target = &tern_streams.targets[pe];

    /* Partner: tern_stream_make(). */
    return tern_likely(tern_load_acquire(&target->stream) != NULL) ? target : tern_stream_make(pe);
}

/* The same, but NULL without a stream. */
TERN_INLINE struct tern_stream *tern_stream_of(int pe)
{
    return tern_load_acquire(&tern_streams.targets[pe].stream); /* partner: tern_stream_make() */
}

TERN_INLINE uint32_t tern_stream_under_way(const struct tern_stream *stream)
{
    /* Partner: tern_answer_take(). */
    return tern_load_relaxed(&stream->sent) - tern_load_acquire(&stream->answered);
}

/* Whether operations wait, or are under way. */
TERN_INLINE bool tern_stream_is_idle(const struct tern_stream *stream)
{
    return !tern_load_relaxed(&stream->n) && !tern_stream_under_way(stream);
}

bool tern_stream_is_lost(const struct tern_stream *stream);

/* The following need the turn. */

/* Sends the frame that is being filled, when there is room for one more under way. */
void tern_stream_send(struct tern_stream *stream);

/* Begins a frame, after it has sent the one that is being filled. */
void tern_stream_make_room(struct tern_stream *stream) TERN_COLD;

TERN_INLINE uint64_t *tern_stream_add(struct tern_stream *stream, uint32_t words)
{
    uint32_t at = stream->words;

    if (tern_unlikely(at + words > stream->limit)) {
        tern_stream_make_room(stream);
        at = stream->words;
    }
    stream->words = at + words;
    return stream->buffer->words + at;
}

/* An entry whose result goes to dest; group may be NULL. */
uint64_t *tern_stream_add_with_result(struct tern_stream *stream, uint32_t words, void *dest,
                                      uint32_t bytes, struct tern_net_group *group);

void tern_stream_begin_waiting(struct tern_stream *stream) TERN_COLD;

/*
 * Operations were added: sends them unless a frame is under way, whose answer will do it. In a
 * session only the first operation of a frame may go out early.
 */
TERN_INLINE void tern_stream_added(struct tern_stream *stream, uint32_t operations, bool session)
{
    uint32_t n = stream->n;

    if (tern_unlikely(!n))
        tern_stream_begin_waiting(stream);
    tern_store_relaxed(&stream->n, n + operations);
    if (tern_unlikely(!tern_stream_under_way(stream)) && (!n || !session))
        tern_stream_send(stream);
}

/* Sends what the answers that have come have made ready; for the program. */
void tern_stream_tend(void);

/* The following take the turn if they need it. */

void tern_stream_flush(struct tern_stream *stream);
void tern_stream_flush_all(void);

/* For the engine's thread; returns whether operations still wait. */
bool tern_stream_attend(void);

/* Waits until the first `sent` frames are answered. */
void tern_stream_await(const struct tern_stream *stream, uint32_t sent);

/* Waits until all that was gathered before is done. */
void tern_stream_complete(struct tern_stream *stream);
void tern_stream_complete_all(void);

/* Whether all that was gathered is done. */
bool tern_stream_all_done(void);

#endif

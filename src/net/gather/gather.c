/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The sender's side: frames that are filled, sent, and answered.
 *
 * While a frame is under way to a PE, operations on it are gathered; otherwise an operation is sent
 * at once. So operations that wait have a frame ahead of them, whose answer sends them. They are
 * also sent when the frame is full, and when the PE waits.
 *
 * Locks: that of a peer is held while the engine is called. Functions that the engine calls while
 * it holds its own locks take none of them, and write only what they own: `answered`, `taken`, and
 * the memory where results go.
 */
#include "net/gather/gather.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/atomics.h"
#include "net/apply.h"

#define FRAMES 8     /* under way to a PE at most */
#define RESULTS 1024 /* that a PE has not sent yet at most; a power of two */
#define FRAME_RESULTS (RESULTS / 4)

#define FRAME_WORDS (TERN_NET_MESSAGE_BYTES / 8)

/* Where a result goes, and in the top byte its length less one: user space has 56 bits at most. */
typedef uint64_t result;

#define RESULT_BYTES 56

_Static_assert(TERN_ENTRY_BYTES <= 256, "a length fits in a byte");

/* A PE of another node, from the first operation on. */
struct peer {
    pthread_mutex_t lock;
    int pe;
    uint32_t words, n;                         /* in the frame that is being filled */
    uint32_t sent;                             /* frames */
    uint32_t expected;                         /* results of gathered operations */
    uint32_t n_results, result_words;          /* of the frame that is being filled */
    result *results;                           /* NULL until the first */
    TERN_ALIGNED(TERN_LINE) uint32_t answered; /* frames; with release, after their results */
    uint32_t taken;                            /* results */
    uint64_t frame[FRAME_WORDS];
};

/* A context's channel: the engine's, and what a fence has to know. */
struct channel {
    struct tern_net_channel *engine;
    uint32_t puts;          /* the engine has had puts since the last quiet */
    uint32_t fenced_puts;   /* a fence has followed these */
    uint32_t fenced_frames; /* a fence has followed gathered operations */
    uint64_t writes, reads; /* that were gathered */
    uint64_t writes_done, reads_done;
};

static struct {
    const struct tern_net_ops *engine;
    const struct tern_net_host *host;
    struct tern_net_host engine_host;
    struct tern_net_ops ops;
    uint32_t most;      /* operations in a frame */
    uint32_t gathering; /* peers whose frames have operations */
    struct peer **peers;
    pthread_mutex_t peers_lock;
    struct peer **used; /* those peers that exist */
    int n_used;
} state = {.peers_lock = PTHREAD_MUTEX_INITIALIZER};

static struct channel default_channel;

uint64_t tern_gather_served;

static struct channel *of(struct tern_net_channel *channel)
{
    return channel ? (struct channel *)channel : &default_channel;
}

/* ---- peers ---- */

static TERN_COLD struct peer *make_peer(int pe)
{
    struct peer *peer;

    pthread_mutex_lock(&state.peers_lock);
    peer = state.peers[pe];
    if (!peer) {
        peer = aligned_alloc(TERN_LINE, sizeof *peer);
        if (!peer)
            state.host->no_memory(NULL, "a frame for another PE", sizeof *peer);
        memset(peer, 0, offsetof(struct peer, frame));
        pthread_mutex_init(&peer->lock, NULL);
        peer->pe = pe;
        state.used[state.n_used] = peer;
        tern_store_release(&state.n_used, state.n_used + 1); /* partner: the loads of n_used */
        tern_store_release(&state.peers[pe], peer);          /* partner: find() */
    }
    pthread_mutex_unlock(&state.peers_lock);
    return peer;
}

static struct peer *find(int pe)
{
    struct peer *peer = tern_load_acquire(&state.peers[pe]); /* partner: make_peer() */

    return tern_likely(peer != NULL) ? peer : make_peer(pe);
}

static bool is_lost(const struct peer *peer)
{
    return state.engine->reaches(peer->pe) != 0;
}

static uint32_t under_way(const struct peer *peer)
{
    return tern_load_relaxed(&peer->sent) -
           tern_load_acquire(&peer->answered); /* partner: answered() */
}

/* ---- sending, with the peer's lock held ---- */

static bool has_room(const void *arg)
{
    const struct peer *peer = arg;

    return under_way(peer) < FRAMES || is_lost(peer);
}

static void send_frame(struct peer *peer)
{
    if (!has_room(peer))
        state.engine->await(peer->pe, has_room, peer);
    if (is_lost(peer)) {
        peer->expected = tern_load_acquire(&peer->taken);
    } else {
        tern_store_relaxed(&peer->sent, peer->sent + 1);
        state.engine->frame(peer->pe, peer->frame, peer->words * sizeof(uint64_t));
    }
    peer->words = peer->n_results = peer->result_words = 0;
    tern_store_relaxed(&peer->n, 0);
    __atomic_fetch_sub(&state.gathering, 1, __ATOMIC_RELAXED);
    state.engine->progress(); /* who starts one operation after the other takes answers as well */
}

static bool has_results(const void *arg)
{
    const struct peer *peer = arg;

    return peer->expected - tern_load_acquire(&peer->taken) < RESULTS || is_lost(peer);
}

static void expect(struct peer *peer, void *dest, size_t bytes)
{
    if (tern_unlikely(!peer->results)) {
        result *results = calloc(RESULTS, sizeof *results);

        if (!results)
            state.host->no_memory(NULL, "results from another PE", RESULTS * sizeof *results);
        tern_store_release(&peer->results, results); /* partner: answered() */
    }
    peer->results[peer->expected % RESULTS] = (uint64_t)(uintptr_t)dest | (uint64_t)(bytes - 1)
                                                                              << RESULT_BYTES;
    peer->n_results++;
    peer->result_words += (uint32_t)tern_entry_words(bytes);
    tern_store_release(&peer->expected, peer->expected + 1); /* partner: answered() */
}

/* Room for an entry, and in the answer for its result; what does not fit is sent. */
static void make_room(struct peer *peer, size_t words, size_t result_words)
{
    if (peer->words + words > FRAME_WORDS ||
        (result_words &&
         (peer->n_results == FRAME_RESULTS || peer->result_words + result_words > FRAME_WORDS)))
        send_frame(peer);
    if (result_words && !has_results(peer)) {
        if (peer->n)
            send_frame(peer);
        state.engine->await(peer->pe, has_results, peer);
    }
}

struct operation {
    uint64_t offset;
    unsigned op;
    size_t bytes;
    const void *source; /* of a put */
    uint64_t operand, compare;
    void *result; /* or NULL */
};

static void append(struct peer *peer, const struct operation *operation)
{
    size_t words = 1 + tern_entry_body(operation->op, operation->bytes);
    uint64_t *at;

    make_room(peer, words, operation->result ? tern_entry_words(operation->bytes) : 0);
    at = peer->frame + peer->words;
    *at++ = tern_entry_pack(operation->offset, operation->op, operation->bytes,
                            operation->result != NULL);
    if (operation->op == TERN_ENTRY_PUT) {
        tern_net_store(at, operation->source, operation->bytes);
    } else if (operation->op != TERN_ENTRY_GET) {
        at[0] = operation->operand;
        if (operation->op == TERN_NET_COMPARE_SWAP)
            at[1] = operation->compare;
    }
    peer->words += (uint32_t)words;
    if (operation->result)
        expect(peer, operation->result, operation->bytes);
    if (!peer->n)
        __atomic_fetch_add(&state.gathering, 1, __ATOMIC_RELAXED);
    tern_store_relaxed(&peer->n, peer->n + 1);
}

/* Sends at once unless a frame is under way, whose answer will do it. */
static void send_or_wait(struct peer *peer)
{
    if (peer->n && (peer->n >= state.most || !under_way(peer)))
        send_frame(peer);
}

static void flush(struct peer *peer)
{
    pthread_mutex_lock(&peer->lock);
    if (peer->n)
        send_frame(peer);
    pthread_mutex_unlock(&peer->lock);
}

static void flush_pe(int pe)
{
    struct peer *peer = tern_load_acquire(&state.peers[pe]);

    if (peer && tern_load_relaxed(&peer->n))
        flush(peer);
}

static void flush_all(void)
{
    int n = tern_load_acquire(&state.n_used);

    for (int i = 0; i < n && tern_load_relaxed(&state.gathering); i++)
        if (tern_load_relaxed(&state.used[i]->n))
            flush(state.used[i]);
}

/* Sends what an answer has made ready, unless another thread is at it or would have to wait. */
static void attend(void)
{
    int n = tern_load_acquire(&state.n_used);

    for (int i = 0; i < n && tern_load_relaxed(&state.gathering); i++) {
        struct peer *peer = state.used[i];

        if (!tern_load_relaxed(&peer->n) || pthread_mutex_trylock(&peer->lock))
            continue;
        send_or_wait(peer);
        pthread_mutex_unlock(&peer->lock);
    }
}

/* ---- answers ---- */

static void answered(int from, const void *answer, size_t bytes)
{
    bool known = state.peers && from < state.host->n_pes;
    struct peer *peer = known ? tern_load_acquire(&state.peers[from]) : NULL;
    const char *at = answer, *end = at + bytes;
    uint32_t taken;

    if (!peer)
        return;
    taken = peer->taken;
    while (at < end && taken != tern_load_acquire(&peer->expected)) { /* partner: expect() */
        result to = peer->results[taken++ % RESULTS];
        size_t length = (to >> RESULT_BYTES) + 1;

        tern_net_store((void *)(uintptr_t)(to & ((UINT64_C(1) << RESULT_BYTES) - 1)), at, length);
        at += tern_entry_words(length) * 8;
    }
    tern_store_release(&peer->taken, taken); /* partners: has_results(), send_frame() */
    tern_store_release(&peer->answered, peer->answered + 1); /* partner: under_way() */
}

struct frames {
    const struct peer *peer;
    uint32_t sent;
};

static bool are_answered(const void *arg)
{
    const struct frames *frames = arg;

    return (int32_t)(frames->sent - tern_load_acquire(&frames->peer->answered)) <= 0 ||
           is_lost(frames->peer);
}

/* Everything that was gathered for that PE before is done. */
static void complete(struct peer *peer)
{
    struct frames frames = {.peer = peer};

    if (tern_load_relaxed(&peer->n))
        flush(peer);
    frames.sent = tern_load_relaxed(&peer->sent);
    if (!are_answered(&frames))
        state.engine->await(peer->pe, are_answered, &frames);
}

static void complete_all(void)
{
    int n = tern_load_acquire(&state.n_used);

    flush_all();
    for (int i = 0; i < n; i++)
        complete(state.used[i]);
}

static bool all_answered(void)
{
    int n = tern_load_acquire(&state.n_used);

    if (tern_load_relaxed(&state.gathering))
        return false;
    for (int i = 0; i < n; i++)
        if (under_way(state.used[i]) && !is_lost(state.used[i]))
            return false;
    return true;
}

/* ---- order ---- */

/* What a fence has left to do before an operation is gathered. */
static void order_gathered(struct channel *channel)
{
    if (tern_likely(!tern_load_relaxed(&channel->fenced_puts)))
        return;
    state.engine->quiet(channel->engine);
    tern_store_relaxed(&channel->puts, 0);
    tern_store_relaxed(&channel->fenced_puts, 0);
}

/* The same before the engine has a put or a long signal. */
static void order_put(struct channel *channel, int pe)
{
    struct peer *peer = tern_load_acquire(&state.peers[pe]);

    if (tern_unlikely(tern_load_relaxed(&channel->fenced_frames)) && peer)
        complete(peer);
    tern_store_relaxed(&channel->puts, 1);
}

static void fence(struct tern_net_channel *handle)
{
    struct channel *channel = of(handle);

    state.engine->fence(channel->engine);
    if (tern_load_relaxed(&channel->puts))
        tern_store_relaxed(&channel->fenced_puts, 1);
    tern_store_relaxed(&channel->fenced_frames, 1);
}

static void quiet(struct tern_net_channel *handle)
{
    struct channel *channel = of(handle);
    uint64_t writes = tern_load_relaxed(&channel->writes),
             reads = tern_load_relaxed(&channel->reads);

    flush_all();
    state.engine->quiet(channel->engine);
    complete_all();
    tern_store_relaxed(&channel->puts, 0);
    tern_store_relaxed(&channel->fenced_puts, 0);
    tern_store_relaxed(&channel->fenced_frames, 0);
    tern_store_relaxed(&channel->writes_done, writes);
    tern_store_relaxed(&channel->reads_done, reads);
    attend(); /* other threads' operations, whose answers were taken here */
}

static bool is_quiet(struct tern_net_channel *handle)
{
    attend();
    return all_answered() && state.engine->is_quiet(of(handle)->engine);
}

/* Gathered operations are done when no frame is under way, or since the last quiet. */
static void count(struct tern_net_channel *handle, struct tern_net_counts *counts)
{
    struct channel *channel = of(handle);
    uint64_t writes = tern_load_relaxed(&channel->writes),
             reads = tern_load_relaxed(&channel->reads);
    bool all = all_answered();

    state.engine->count(channel->engine, counts);
    counts->writes += writes;
    counts->reads += reads;
    counts->writes_done += all ? writes : tern_load_relaxed(&channel->writes_done);
    counts->reads_done += all ? reads : tern_load_relaxed(&channel->reads_done);
    counts->served += tern_load_relaxed(&tern_gather_served);
}

/* ---- operations ---- */

static void gather(struct channel *channel, const struct operation *operation, int pe)
{
    struct peer *peer = find(pe);

    order_gathered(channel);
    pthread_mutex_lock(&peer->lock);
    append(peer, operation);
    send_or_wait(peer);
    pthread_mutex_unlock(&peer->lock);
}

static void note_write(struct channel *channel)
{
    __atomic_fetch_add(&channel->writes, 1, __ATOMIC_RELAXED);
}

static void note_read(struct channel *channel)
{
    __atomic_fetch_add(&channel->reads, 1, __ATOMIC_RELAXED);
}

/*
 * The first put after a quiet goes to the engine, whose puts are faster than a frame: a program
 * that puts a word and calls quiet has no use for frames.
 */
static bool goes_alone(struct channel *channel, size_t bytes, int pe)
{
    const struct peer *peer;

    if (bytes > TERN_ENTRY_BYTES)
        return true;
    if (tern_load_relaxed(&channel->puts))
        return false;
    peer = tern_load_acquire(&state.peers[pe]);
    return !peer || (!tern_load_relaxed(&peer->n) && !under_way(peer));
}

static void gather_put(struct channel *channel, uint64_t dest, const void *source, size_t bytes,
                       int pe)
{
    struct operation operation = {
        .offset = dest, .op = TERN_ENTRY_PUT, .bytes = bytes, .source = source};

    note_write(channel);
    gather(channel, &operation, pe);
}

static void put(struct tern_net_channel *handle, uint64_t dest, const void *source, size_t bytes,
                int pe)
{
    struct channel *channel = of(handle);

    if (!goes_alone(channel, bytes, pe)) {
        gather_put(channel, dest, source, bytes, pe);
        return;
    }
    order_put(channel, pe);
    state.engine->put(channel->engine, dest, source, bytes, pe);
    attend(); /* the engine may have waited, and taken answers */
}

static void put_nbi(struct tern_net_channel *handle, uint64_t dest, const void *source,
                    size_t bytes, int pe)
{
    struct channel *channel = of(handle);

    if (!goes_alone(channel, bytes, pe)) {
        gather_put(channel, dest, source, bytes, pe);
        return;
    }
    order_put(channel, pe);
    state.engine->put_nbi(channel->engine, dest, source, bytes, pe);
}

static void get(struct tern_net_channel *handle, void *dest, uint64_t source, size_t bytes, int pe)
{
    flush_pe(pe);
    state.engine->get(of(handle)->engine, dest, source, bytes, pe);
    attend(); /* as in put() */
}

static void get_nbi(struct tern_net_channel *handle, void *dest, uint64_t source, size_t bytes,
                    int pe)
{
    struct channel *channel = of(handle);
    struct operation operation = {
        .offset = source, .op = TERN_ENTRY_GET, .bytes = bytes, .result = dest};

    if (bytes > TERN_ENTRY_BYTES) {
        state.engine->get_nbi(channel->engine, dest, source, bytes, pe);
        return;
    }
    note_read(channel);
    gather(channel, &operation, pe);
}

static void scatter(struct tern_net_channel *handle, uint64_t dest, size_t dst, const void *source,
                    size_t bytes, size_t n, int pe)
{
    struct channel *channel = of(handle);

    order_put(channel, pe);
    state.engine->scatter(channel->engine, dest, dst, source, bytes, n, pe);
}

static void put_signal(struct tern_net_channel *handle, uint64_t dest, const void *source,
                       size_t bytes, uint64_t sig_addr, uint64_t signal, enum tern_net_op op,
                       bool nbi, int pe)
{
    struct channel *channel = of(handle);

    if (bytes <= TERN_ENTRY_BYTES) {
        struct peer *peer = find(pe);
        struct operation data = {
            .offset = dest, .op = TERN_ENTRY_PUT, .bytes = bytes, .source = source};
        struct operation word = {.offset = sig_addr, .op = op, .bytes = 8, .operand = signal};

        note_write(channel);
        order_gathered(channel);
        pthread_mutex_lock(&peer->lock);
        if (bytes)
            append(peer, &data);
        append(peer, &word);
        send_or_wait(peer);
        pthread_mutex_unlock(&peer->lock);
        return;
    }
    order_put(channel, pe);
    state.engine->put_signal(channel->engine, dest, source, bytes, sig_addr, signal, op, nbi, pe);
}

static void gather_amo(struct channel *channel, enum tern_net_op op, unsigned width, uint64_t dest,
                       uint64_t operand, uint64_t compare, void *fetch, int pe)
{
    struct operation operation = {.offset = dest,
                                  .op = op,
                                  .bytes = width,
                                  .operand = operand,
                                  .compare = compare,
                                  .result = fetch};

    note_write(channel);
    gather(channel, &operation, pe);
}

static void amo(struct tern_net_channel *handle, enum tern_net_op op, unsigned width, uint64_t dest,
                uint64_t operand, uint64_t compare, uint64_t *fetch, int pe)
{
    struct channel *channel = of(handle);

    if (!fetch) {
        gather_amo(channel, op, width, dest, operand, compare, NULL, pe);
        return;
    }
    order_gathered(channel);
    flush_pe(pe);
    state.engine->amo(channel->engine, op, width, dest, operand, compare, fetch, pe);
    attend();
}

static void amo_nbi(struct tern_net_channel *handle, enum tern_net_op op, unsigned width,
                    uint64_t dest, uint64_t operand, uint64_t compare, void *fetch, int pe)
{
    gather_amo(of(handle), op, width, dest, operand, compare, fetch, pe);
}

static void put_group(struct tern_net_channel *handle, uint64_t dest, const void *source,
                      size_t bytes, struct tern_net_group *group, int pe)
{
    struct channel *channel = of(handle);

    order_put(channel, pe);
    state.engine->put_group(channel->engine, dest, source, bytes, group, pe);
}

static void get_group(struct tern_net_channel *handle, void *dest, uint64_t source, size_t bytes,
                      struct tern_net_group *group, int pe)
{
    state.engine->get_group(of(handle)->engine, dest, source, bytes, group, pe);
}

static void amo_group(struct tern_net_channel *handle, enum tern_net_op op, unsigned width,
                      uint64_t dest, uint64_t operand, uint64_t compare, void *fetch,
                      struct tern_net_group *group, int pe)
{
    struct channel *channel = of(handle);

    order_gathered(channel);
    flush_pe(pe);
    state.engine->amo_group(channel->engine, op, width, dest, operand, compare, fetch, group, pe);
}

/* ---- channels and progress ---- */

static struct tern_net_channel *channel_open(void)
{
    struct tern_net_channel *engine = state.engine->channel_open();
    struct channel *channel;

    if (!engine)
        return NULL;
    channel = calloc(1, sizeof *channel);
    if (!channel)
        state.host->no_memory(NULL, "a context", sizeof *channel);
    channel->engine = engine;
    return (struct tern_net_channel *)channel;
}

static void channel_close(struct tern_net_channel *handle)
{
    if (!handle)
        return;
    state.engine->channel_close(of(handle)->engine);
    free(of(handle));
}

static bool progress(void)
{
    if (tern_load_relaxed(&state.gathering))
        flush_all();
    return state.engine->progress();
}

static void close(void)
{
    flush_all();
    state.engine->close();
}

static size_t carry_out(const void *frame, size_t bytes, void *answer)
{
    return tern_gather_carry_out(state.host, frame, bytes, answer);
}

const struct tern_net_host *tern_gather_host(const struct tern_net_host *host)
{
    state.host = host;
    state.engine_host = *host;
    state.engine_host.carry_out = carry_out;
    state.engine_host.answered = answered;
    state.engine_host.attend = attend;
    return &state.engine_host;
}

const struct tern_net_ops *tern_gather_start(const struct tern_net_ops *engine, long most)
{
    size_t n = (size_t)state.host->n_pes;

    state.engine = engine;
    state.most = most > FRAME_WORDS ? FRAME_WORDS : (uint32_t)most;
    state.peers = calloc(n, sizeof(struct peer *));
    state.used = calloc(n, sizeof(struct peer *));
    if (!state.peers || !state.used)
        state.host->no_memory(NULL, "the peers of this PE", 2 * n * sizeof(struct peer *));
    state.ops = *engine;
    state.ops.close = close;
    state.ops.channel_open = channel_open;
    state.ops.channel_close = channel_close;
    state.ops.put = put;
    state.ops.put_nbi = put_nbi;
    state.ops.get = get;
    state.ops.get_nbi = get_nbi;
    state.ops.scatter = scatter;
    state.ops.put_signal = put_signal;
    state.ops.amo = amo;
    state.ops.amo_nbi = amo_nbi;
    state.ops.put_group = put_group;
    state.ops.get_group = get_group;
    state.ops.amo_group = amo_group;
    state.ops.fence = fence;
    state.ops.quiet = quiet;
    state.ops.is_quiet = is_quiet;
    state.ops.count = count;
    state.ops.progress = progress;
    return &state.ops;
}

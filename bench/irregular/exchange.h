/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Aggregation as programs write it out by hand, in plain OpenSHMEM: a buffer for each PE, which the
 * program fills; an exchange, in which each PE sends all its buffers, one message to each PE, and
 * waits for those of all; a pass over the items that came.
 *
 * Buffers alternate between two places at the receiver. A PE sends exchange k + 2 only after it has
 * received exchange k + 1 of the receiver, which has then passed over exchange k.
 */
#ifndef BENCH_IRREGULAR_EXCHANGE_H
#define BENCH_IRREGULAR_EXCHANGE_H

#include "../apps/arena.h"

#ifndef EXCHANGE_BYTES
#define EXCHANGE_BYTES 8192 /* of a buffer, as in bench/raw_ofi.c */
#endif
#define EXCHANGE_WORDS (EXCHANGE_BYTES / sizeof(uint64_t))

/* The first word of a message: the words after it; the highest bit: the sender has no more. */
#define EXCHANGE_DONE (UINT64_C(1) << 63)

struct exchange {
    size_t item; /* words of an item */
    uint64_t *out, *in[2];
    size_t filled[MOST_PES]; /* words in each buffer, with the first */
    uint64_t *arrived;       /* exchanges, by sender */
    uint64_t number;
    bool all_done;
};

static inline void exchange_open(struct exchange *x, size_t item_words)
{
    size_t words = (size_t)bench_n * EXCHANGE_WORDS;

    *x = (struct exchange){.item = item_words};
    x->out = malloc(words * sizeof *x->out);
    for (int i = 0; i < 2; i++)
        x->in[i] = take(words * sizeof(uint64_t));
    x->arrived = take((size_t)bench_n * sizeof *x->arrived);
    for (int pe = 0; pe < bench_n; pe++)
        x->filled[pe] = 1;
}

static inline void exchange_close(struct exchange *x)
{
    free(x->out);
}

/* Where to write an item for the PE, or NULL if its buffer is full. */
static inline uint64_t *exchange_push(struct exchange *x, int pe)
{
    size_t at = x->filled[pe];

    if (at + x->item > EXCHANGE_WORDS)
        return NULL;
    x->filled[pe] = at + x->item;
    return x->out + (size_t)pe * EXCHANGE_WORDS + at;
}

/* Sends all buffers, and receives those of all PEs. */
static inline void exchange_all(struct exchange *x, bool done)
{
    uint64_t *in = x->in[++x->number & 1];

    for (int i = 0, pe = bench_me; i < bench_n; i++, pe = (pe + 1) % bench_n) {
        uint64_t *out = x->out + (size_t)pe * EXCHANGE_WORDS;

        out[0] = (x->filled[pe] - 1) | (done ? EXCHANGE_DONE : 0);
        shmem_putmem_signal_nbi(in + (size_t)bench_me * EXCHANGE_WORDS, out,
                                x->filled[pe] * sizeof *out, &x->arrived[bench_me], x->number,
                                SHMEM_SIGNAL_SET, pe);
        x->filled[pe] = 1;
    }
    x->all_done = true;
    for (int pe = 0; pe < bench_n; pe++) {
        shmem_signal_wait_until(&x->arrived[pe], SHMEM_CMP_GE, x->number);
        x->all_done &= in[(size_t)pe * EXCHANGE_WORDS] >> 63;
    }
    shmem_quiet(); /* the buffers may be filled again */
}

/*
 * Exchanges the buffers and returns true, until all PEs are done; then returns false. `done`: this
 * PE pushes nothing more until then. The exchange can be used again.
 */
static inline bool exchange_proceed(struct exchange *x, bool done)
{
    if (x->all_done) {
        x->all_done = false;
        return false;
    }
    exchange_all(x, done);
    return true;
}

/* The items that came from a PE, and their number. */
static inline const uint64_t *exchange_items(const struct exchange *x, int pe, size_t *n)
{
    const uint64_t *from = x->in[x->number & 1] + (size_t)pe * EXCHANGE_WORDS;

    *n = (from[0] & ~EXCHANGE_DONE) / x->item;
    return from + 1;
}

#endif

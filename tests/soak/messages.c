/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The phase of messages: data, then by fence, quiet or the call itself a flag, for which the
 * receiver waits before it reads the data. All PEs go through one list. A PE sends a message at its
 * place in the list, and receives it at the same place or later; so no PE waits for a later one.
 */
#include <stdlib.h>
#include <string.h>

#include "report.h"

enum { MAX_MESSAGES = 160, LATEST = 12, AREA = 1 << 20 };

/* How the flag travels; the first two are signals, and stay beside the data in one call. */
enum flag {
    PUT_SIGNAL,
    PUT_SIGNAL_NBI,
    SIGNAL_LAST,
    SIGNAL_SET,
    BY_P,
    BY_SET,
    BY_ADD,
    BY_SWAP_NBI,
    BY_THIRD,
    FLAGS
};

struct message {
    int from, to, third;
    enum flag flag;
    uint32_t at, bytes;
    unsigned passed_on, received; /* the places in the list where third and to wait */
    unsigned pieces;
    bool on_ctx;
    uint64_t value;
};

static struct message list[MAX_MESSAGES];
static unsigned n_messages;
static unsigned char *inbox, *outbox;
static long *flags, *relays;
static uint64_t *signals;
static shmem_ctx_t context;

/* ---- the list ---- */

static uint32_t draw_bytes(struct draw *draw)
{
    static const uint32_t limits[] = {8, 64, 64, 256, 300, 2000, 9000, 60000};

    return 1 + draw_below(draw, limits[draw_below(draw, 8)]);
}

static bool draw_message(struct draw *draw, struct message *m, unsigned i, uint32_t at)
{
    m->from = (int)draw_below(draw, (uint64_t)soak_n_pes);
    m->to = (int)draw_below(draw, (uint64_t)soak_n_pes);
    m->third = (int)draw_below(draw, (uint64_t)soak_n_pes);
    m->flag = (enum flag)draw_below(draw, FLAGS);
    m->at = at;
    m->bytes = draw_bytes(draw);
    m->passed_on = i + draw_below(draw, LATEST);
    m->received = m->passed_on + draw_below(draw, LATEST);
    m->pieces = 1 + draw_below(draw, 4);
    m->on_ctx = draw_chance(draw, 40);
    m->value = draw_bits(draw) >> 2 | 1;
    return at + m->bytes + 64 < AREA;
}

static void draw_list(const struct round *round)
{
    struct draw draw = draw_from(round->seed, DRAW_MESSAGES, 0);
    unsigned wanted = 20 + draw_below(&draw, MAX_MESSAGES - 20);
    uint32_t at = 0;

    n_messages = 0;
    while (n_messages < wanted && draw_message(&draw, &list[n_messages], n_messages, at))
        at += (list[n_messages++].bytes + 15) & ~7u;
}

/* ---- the sender ---- */

static shmem_ctx_t ctx_of(const struct message *m)
{
    return m->on_ctx ? context : SHMEM_CTX_DEFAULT;
}

static void put_bytes(const struct message *m, uint32_t from, uint32_t bytes, bool nbi)
{
    if (bytes == 8 && (m->at + from) % 8 == 0)
        shmem_ctx_uint64_p(ctx_of(m), (uint64_t *)(void *)(inbox + m->at + from),
                           *(uint64_t *)(void *)(outbox + m->at + from), m->to);
    else if (nbi)
        shmem_ctx_putmem_nbi(ctx_of(m), inbox + m->at + from, outbox + m->at + from, bytes, m->to);
    else
        shmem_ctx_putmem(ctx_of(m), inbox + m->at + from, outbox + m->at + from, bytes, m->to);
}

/* In pieces of whole words but for the last one. */
static void put_data(const struct message *m, uint32_t bytes)
{
    uint32_t piece = (bytes / m->pieces + 8) & ~7u;

    for (uint32_t from = 0, i = 0; from < bytes; from += piece, i++)
        put_bytes(m, from, bytes - from < piece ? bytes - from : piece, (m->value >> i) & 1);
}

static void put_signal(const struct message *m, unsigned i, uint32_t from, bool nbi)
{
    shmem_ctx_t ctx = ctx_of(m);
    unsigned char *to = inbox + m->at + from, *source = outbox + m->at + from;
    int op = m->value & 2 ? SHMEM_SIGNAL_ADD : SHMEM_SIGNAL_SET; /* the word is 0 before */

    if (nbi)
        shmem_ctx_putmem_signal_nbi(ctx, to, source, m->bytes - from, &signals[i], m->value, op,
                                    m->to);
    else
        shmem_ctx_putmem_signal(ctx, to, source, m->bytes - from, &signals[i], m->value, op, m->to);
}

static void send_flag(const struct message *m, unsigned i)
{
    static long fetched[MAX_MESSAGES];
    shmem_ctx_t ctx = ctx_of(m);

    switch (m->flag) {
    case SIGNAL_SET:
        shmem_ctx_signal_set(ctx, &signals[i], m->value, m->to);
        break;
    case BY_P:
        shmem_ctx_long_p(ctx, &flags[i], (long)m->value, m->to);
        break;
    case BY_ADD:
        shmem_ctx_long_atomic_add(ctx, &flags[i], (long)m->value, m->to);
        break;
    case BY_SWAP_NBI:
        shmem_ctx_long_atomic_swap_nbi(ctx, &fetched[i], &flags[i], (long)m->value, m->to);
        break;
    default:
        shmem_ctx_long_atomic_set(ctx, &flags[i], (long)m->value, m->to);
        break;
    }
}

static void send_message(const struct message *m, unsigned i)
{
    uint32_t tail = m->bytes / 2 & ~7u;

    for (uint32_t k = 0; k < m->bytes; k++)
        outbox[m->at + k] = draw_byte(m->value, k);
    if (m->flag == PUT_SIGNAL || m->flag == PUT_SIGNAL_NBI) {
        put_signal(m, i, 0, m->flag == PUT_SIGNAL_NBI);
    } else if (m->flag == SIGNAL_LAST) {
        put_data(m, tail);
        shmem_ctx_fence(ctx_of(m));
        put_signal(m, i, tail, m->value & 4);
    } else if (m->flag == BY_THIRD) {
        put_data(m, m->bytes);
        shmem_ctx_quiet(ctx_of(m));
        shmem_long_atomic_set(&relays[i], (long)m->value, m->third);
    } else {
        put_data(m, m->bytes);
        shmem_ctx_fence(ctx_of(m));
        send_flag(m, i);
    }
}

/* ---- the receiver ---- */

static bool is_signal(const struct message *m)
{
    return m->flag <= SIGNAL_SET;
}

static void pass_on(const struct message *m, unsigned i)
{
    report_place("messages, waiting to pass on message", i);
    shmem_long_wait_until(&relays[i], SHMEM_CMP_EQ, (long)m->value);
    shmem_long_atomic_set(&flags[i], (long)m->value, m->to);
}

static void wait_for_signal(const struct message *m, unsigned i)
{
    uint64_t got = 0;

    if (m->value & 8)
        got = shmem_signal_wait_until(&signals[i], SHMEM_CMP_NE, 0);
    else
        while (!(got = shmem_signal_fetch(&signals[i])))
            ;
    expect(got == m->value, "message %u of PE %d: the signal is %llu, expected %llu", i, m->from,
           (unsigned long long)got, (unsigned long long)m->value);
}

static void wait_for_flag(const struct message *m, unsigned i)
{
    switch (m->value >> 3 & 3) {
    case 0:
        shmem_long_wait_until(&flags[i], SHMEM_CMP_NE, 0);
        break;
    case 1:
        while (!shmem_long_test(&flags[i], SHMEM_CMP_GT, 0))
            ;
        break;
    case 2:
        while (!shmem_long_atomic_fetch(&flags[i], soak_me))
            ;
        break;
    default:
        shmem_long_wait_until_any(&flags[i], 1, NULL, SHMEM_CMP_NE, 0);
        break;
    }
}

static void check_message(const struct message *m, unsigned i)
{
    uint32_t k = 0;

    if (!is_signal(m))
        expect(flags[i] == (long)m->value, "message %u of PE %d: the flag is %ld, expected %ld", i,
               m->from, flags[i], (long)m->value);
    while (k < m->bytes && inbox[m->at + k] == draw_byte(m->value, k))
        k++;
    expect(k == m->bytes,
           "message %u of PE %d, %u bytes, flag of kind %d: byte %u is %#x after the flag, "
           "expected %#x",
           i, m->from, m->bytes, (int)m->flag, k, inbox[m->at + k], draw_byte(m->value, k));
}

/* All flags that are due here at once, in the order in which they come. */
static void receive_some(unsigned place)
{
    int is_done[MAX_MESSAGES];
    size_t left = 0;

    for (unsigned i = 0; i < n_messages; i++) {
        const struct message *m = &list[i];

        is_done[i] = m->to != soak_me || m->received != place || is_signal(m);
        left += !is_done[i];
    }
    while (left) {
        size_t came[MAX_MESSAGES];
        size_t n = shmem_long_wait_until_some(flags, n_messages, came, is_done, SHMEM_CMP_NE, 0);

        for (size_t k = 0; k < n; k++) {
            check_message(&list[came[k]], (unsigned)came[k]);
            is_done[came[k]] = 1;
        }
        left -= n;
    }
}

static void receive_each(unsigned place)
{
    for (unsigned i = 0; i < n_messages; i++) {
        const struct message *m = &list[i];

        if (m->to != soak_me || m->received != place)
            continue;
        report_place("messages, waiting for message", i);
        if (is_signal(m))
            wait_for_signal(m, i);
        else
            wait_for_flag(m, i);
        check_message(m, i);
    }
}

static void walk(void)
{
    for (unsigned place = 0; place < n_messages + 2 * LATEST; place++) {
        report_place("messages, place", place);
        if (place < n_messages && list[place].from == soak_me)
            send_message(&list[place], place);
        for (unsigned i = 0; i < n_messages; i++)
            if (list[i].flag == BY_THIRD && list[i].third == soak_me && list[i].passed_on == place)
                pass_on(&list[i], i);
        if (place % 3 == 0)
            receive_some(place);
        receive_each(place);
    }
}

void soak_messages(const struct round *round)
{
    draw_list(round);
    inbox = soak_alloc(AREA);
    outbox = malloc(AREA);
    flags = soak_alloc(MAX_MESSAGES * sizeof *flags);
    relays = soak_alloc(MAX_MESSAGES * sizeof *relays);
    signals = soak_alloc(MAX_MESSAGES * sizeof *signals);
    expect(outbox && !shmem_ctx_create(0, &context), "no memory or no context");
    walk();
    shmem_ctx_destroy(context);
    shmem_barrier_all();
    soak_count(n_messages);
    shmem_free(signals);
    shmem_free(relays);
    shmem_free(flags);
    free(outbox);
    shmem_free(inbox);
}

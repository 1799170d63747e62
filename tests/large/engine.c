/* SPDX-License-Identifier: BSD-3-Clause */
/* The engine that stands in for a network. The library finds it in place of net/open.c. */
#include "large/engine.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/job.h"
#include "core/wait.h"
#include "net/net.h"
#include "net/open.h"

TERN_PE_LOCAL const struct tern_net_ops *tern_net = &tern_net_none;

enum kind { MESSAGE, FRAME, ANSWER };

/* On its way to a PE, which takes it in progress(). */
struct letter {
    struct letter *next;
    enum kind kind;
    int from;
    size_t bytes;
    unsigned char data[];
};

static struct mailbox {
    pthread_mutex_t lock;
    struct letter *first, **last;
    uint32_t n; /* letters that ever came: a PE looks inside only when this changes */
    const struct tern_net_host *host;
    struct tern_bell *bell;
    unsigned char *peers; /* by PE: 1 if something went there or came from there */
} * mailboxes;

static int n_pes;
static TERN_PE_LOCAL struct engine_counts counts;
static TERN_PE_LOCAL uint32_t taken;

/* The counts of memory (memory.c) leave out what the engine itself allocates. */
void *__real_malloc(size_t bytes);
void __real_free(void *memory);

void engine_start(int pes)
{
    n_pes = pes;
    mailboxes = calloc((size_t)pes, sizeof *mailboxes);
    for (int pe = 0; pe < pes; pe++) {
        pthread_mutex_init(&mailboxes[pe].lock, NULL);
        mailboxes[pe].last = &mailboxes[pe].first;
        mailboxes[pe].peers = calloc((size_t)pes, 1);
    }
}

void engine_stop(void)
{
    for (int pe = 0; pe < n_pes; pe++)
        free(mailboxes[pe].peers);
    free(mailboxes);
}

struct engine_counts engine_counts(void)
{
    return counts;
}

int engine_peers(int pe)
{
    int n = 0;

    for (int i = 0; i < n_pes; i++)
        n += mailboxes[pe].peers[i];
    return n;
}

static void count(int pe, size_t bytes)
{
    counts.messages++;
    counts.bytes += bytes;
    tern_store_relaxed(&mailboxes[pe].peers[tern_job.pe], 1);
    tern_store_relaxed(&mailboxes[tern_job.pe].peers[pe], 1);
}

static void post(enum kind kind, int pe, const void *data, size_t bytes)
{
    struct letter *letter = __real_malloc(sizeof *letter + bytes);
    struct mailbox *to = &mailboxes[pe];

    if (!letter)
        abort();
    *letter = (struct letter){.kind = kind, .from = tern_job.pe, .bytes = bytes};
    memcpy(letter->data, data, bytes);
    count(pe, bytes);
    pthread_mutex_lock(&to->lock);
    *to->last = letter;
    to->last = &letter->next;
    tern_store_release(&to->n, to->n + 1); /* partner: progress() */
    pthread_mutex_unlock(&to->lock);
    tern_bell_ring(to->bell);
}

static void send(int pe, const void *message, size_t bytes)
{
    post(MESSAGE, pe, message, bytes);
}

static void frame(int pe, const void *data, size_t bytes)
{
    post(FRAME, pe, data, bytes);
}

static void take(const struct tern_net_host *host, const struct letter *letter)
{
    TERN_ALIGNED(16) unsigned char data[TERN_NET_FRAME_BYTES], answer[TERN_NET_FRAME_BYTES];

    switch (letter->kind) {
    case MESSAGE:
        host->received(letter->from, letter->data, letter->bytes);
        return;
    case FRAME:
        memcpy(data, letter->data, letter->bytes);
        post(ANSWER, letter->from, answer, host->carry_out(data, letter->bytes, answer));
        return;
    case ANSWER:
        host->answered(letter->from, letter->data, letter->bytes);
        return;
    }
}

static bool progress(void)
{
    struct mailbox *own = &mailboxes[tern_job.pe];
    uint32_t n = tern_load_acquire(&own->n); /* partner: post() */
    struct letter *letter, *next;

    if (n == taken)
        return false;
    pthread_mutex_lock(&own->lock);
    taken = own->n;
    letter = own->first;
    own->first = NULL;
    own->last = &own->first;
    pthread_mutex_unlock(&own->lock);
    for (; letter; letter = next) {
        next = letter->next;
        take(own->host, letter);
        __real_free(letter);
    }
    return true;
}

static void await(int pe, bool (*done)(const void *arg), const void *arg)
{
    while (!done(arg))
        if (!progress())
            usleep(1000);
}

static char *address(int pe, uint64_t offset)
{
    return (char *)mailboxes[pe].host->segments[tern_net_segment_of(offset)].start +
           tern_net_distance_of(offset);
}

static void put(struct tern_net_channel *channel, uint64_t dest, const void *source, size_t bytes,
                int pe)
{
    count(pe, bytes);
    memcpy(address(pe, dest), source, bytes);
    tern_bell_ring(mailboxes[pe].bell);
}

static void get(struct tern_net_channel *channel, void *dest, uint64_t source, size_t bytes, int pe)
{
    count(pe, bytes);
    memcpy(dest, address(pe, source), bytes);
}

static int reaches(int pe)
{
    return 0;
}

static int open_engine(const struct tern_net_host *host, void *card)
{
    mailboxes[host->pe].host = host;
    mailboxes[host->pe].bell = &tern_job.bells[host->pe];
    memset(card, 1, TERN_NET_CARD_BYTES);
    return 0;
}

int tern_net_open(const char *name, const struct tern_net_host *host, void *card)
{
    static TERN_PE_LOCAL struct tern_net_ops ops;

    ops = tern_net_none; /* what the test does not use ends it */
    ops.name = "simulation";
    ops.put = ops.put_nbi = put;
    ops.get = ops.get_nbi = get;
    ops.send = send;
    ops.frame = frame;
    ops.await = await;
    ops.progress = progress;
    ops.reaches = reaches;
    tern_net = &ops;
    return open_engine(host, card);
}

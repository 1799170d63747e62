/* SPDX-License-Identifier: BSD-3-Clause */
/* What this PE asks others to do in their memory: AMOs and signals, until they have answered. */
#include <stdlib.h>
#include <string.h>

#include "net/ofi/ofi.h"

/* As many may be unanswered; it bounds what a target has to keep. A power of two. */
#define REQUESTS 512

/* Data that travels in the signal's own frame; more goes ahead as a put. */
#define SIGNAL_DATA 4096

/* All of it belongs to the default channel's lock. */
struct request {
    struct request *next;
    struct tern_net_channel *channel; /* NULL: free */
    void *fetch;                      /* where the old value goes, or NULL */
    struct ofi_group *group;          /* of the caller that waits, or NULL */
    int pe;
    uint16_t uses; /* how often the place was used: late answers do not fit */
    uint8_t width, epoch;
};

static struct {
    struct request *all, *free;
} requests;

int ofi_request_start(void)
{
    requests.all = calloc(REQUESTS, sizeof *requests.all);
    if (!requests.all)
        return -FI_ENOMEM;
    requests.free = NULL;
    for (int i = 0; i < REQUESTS; i++) {
        requests.all[i].next = requests.free;
        requests.free = &requests.all[i];
    }
    return 0;
}

void ofi_request_stop(void)
{
    free(requests.all);
    requests.all = requests.free = NULL;
}

static uint16_t name_of(const struct request *request)
{
    return (uint16_t)(request->uses * REQUESTS + (request - requests.all));
}

/* An answer names a request that was made to that PE, or it is not one. */
static struct request *find(uint16_t name, int pe)
{
    struct request *request = &requests.all[name % REQUESTS];

    return request->channel && request->pe == pe && name_of(request) == name ? request : NULL;
}

/* Counts an operation as pending on the channel, and returns with the default channel's lock. */
static uint8_t begin(struct tern_net_channel *channel)
{
    uint8_t epoch;

    pthread_mutex_lock(&channel->lock);
    ofi_order_before_request(channel);
    epoch = channel->epoch & 1;
    tern_fetch_add(&channel->pending[epoch].requests, 1);
    channel->writes++;
    if (channel != OFI_DEFAULT) {
        pthread_mutex_unlock(&channel->lock);
        pthread_mutex_lock(&OFI_DEFAULT->lock);
    }
    return epoch;
}

static struct request *make(struct tern_net_channel *channel, uint8_t epoch, int pe)
{
    struct ofi_wait wait = {.pe = pe};
    struct request *request;

    while (!(request = requests.free))
        ofi_wait_unlocked(OFI_DEFAULT, &wait);
    requests.free = request->next;
    request->uses++;
    request->channel = channel;
    request->epoch = epoch;
    request->pe = pe;
    request->fetch = NULL;
    request->group = NULL;
    return request;
}

static void finish(struct request *request, uint64_t value)
{
    struct tern_net_channel *channel = request->channel;

    if (request->fetch && request->width == 4)
        *(uint32_t *)request->fetch = (uint32_t)value;
    else if (request->fetch)
        *(uint64_t *)request->fetch = value;
    request->channel = NULL;
    request->next = requests.free;
    requests.free = request;
    ofi_rma_count_down(request->group);
    /* Release: partner is quiet's load. */
    __atomic_fetch_sub(&channel->pending[request->epoch].requests, 1, __ATOMIC_RELEASE);
}

void ofi_request_value(int pe, const void *body, size_t bytes)
{
    struct ofi_frame_value value;
    struct request *request;

    if (bytes != sizeof value)
        return;
    memcpy(&value, body, sizeof value);
    request = find(value.request, pe);
    if (request)
        finish(request, value.value);
}

void ofi_request_done(int pe, const void *body, size_t bytes)
{
    struct ofi_frame_done done = {0};

    if (bytes > sizeof done)
        return;
    memcpy(&done, body, bytes);
    for (unsigned i = 0; i < done.n && i < OFI_DONE_MOST; i++) {
        struct request *request = find(done.requests[i], pe);

        if (request)
            finish(request, 0);
    }
}

void ofi_request_sweep(void)
{
    for (int i = 0; requests.all && i < REQUESTS; i++) {
        struct request *request = &requests.all[i];

        if (request->channel && ofi_peer_is_lost(request->pe))
            finish(request, 0);
    }
}

int ofi_request_next_peer(int pe)
{
    int n = ofi.host->n_pes, next = -1;

    for (int i = 0; i < REQUESTS; i++) {
        const struct request *request = &requests.all[i];
        int ahead = request->channel ? (request->pe - pe - 1 + n) % n : n;

        if (request->channel && (next < 0 || ahead < (next - pe - 1 + n) % n))
            next = request->pe;
    }
    return next;
}

/* ---- AMOs ---- */

/* fetch may be NULL; with a group the caller waits for it. */
static void start_amo(struct tern_net_channel *channel, enum tern_net_op op, unsigned width,
                      void *dest, uint64_t operand, uint64_t compare, void *fetch,
                      struct ofi_group *group, int pe)
{
    struct ofi_frame_amo amo = {.operand = operand, .compare = compare, .fetches = fetch != NULL};
    enum tern_net_segment segment;
    struct request *request;
    struct ofi_op *frame;
    uint8_t epoch;

    if (ofi_peer_is_lost(pe) || !ofi_card_locate(dest, width, &segment, &amo.offset)) {
        if (fetch)
            memset(fetch, 0, width);
        return;
    }
    epoch = begin(channel);
    frame = ofi_message_room(pe, sizeof amo);
    request = make(channel, epoch, pe);
    request->fetch = fetch;
    request->group = group;
    request->width = (uint8_t)width;
    if (group)
        tern_fetch_add(&group->left, 1);
    amo.request = name_of(request);
    ofi_message_fill(frame, OFI_FRAME_AMO, &amo, sizeof amo);
    ofi_message_head(frame)->op = (uint8_t)op;
    ofi_message_head(frame)->width = (uint8_t)width;
    ofi_message_head(frame)->segment = (uint8_t)segment;
    ofi_message_post(frame);
    pthread_mutex_unlock(&OFI_DEFAULT->lock);
}

void ofi_request_amo(struct tern_net_channel *channel, enum tern_net_op op, unsigned width,
                     void *dest, uint64_t operand, uint64_t compare, uint64_t *fetch, int pe)
{
    struct ofi_group group = {0};

    if (!fetch) {
        start_amo(ofi_channel(channel), op, width, dest, operand, compare, NULL, NULL, pe);
        return;
    }
    *fetch = 0;
    start_amo(ofi_channel(channel), op, width, dest, operand, compare, fetch, &group, pe);
    ofi_wait_group(OFI_DEFAULT, &group, pe);
}

void ofi_request_amo_nbi(struct tern_net_channel *channel, enum tern_net_op op, unsigned width,
                         void *dest, uint64_t operand, uint64_t compare, void *fetch, int pe)
{
    start_amo(ofi_channel(channel), op, width, dest, operand, compare, fetch, NULL, pe);
}

void ofi_request_amo_group(struct tern_net_channel *channel, enum tern_net_op op, unsigned width,
                           void *dest, uint64_t operand, uint64_t compare, void *fetch,
                           struct ofi_group *group, int pe)
{
    start_amo(ofi_channel(channel), op, width, dest, operand, compare, fetch, group, pe);
}

/* ---- blocks ---- */

void ofi_request_scatter(struct tern_net_channel *channel, void *dest, size_t dst,
                         const void *source, size_t bytes, size_t n, int pe)
{
    struct ofi_frame_scatter scatter = {.stride = dst, .block = (uint32_t)bytes, .n = (uint32_t)n};
    enum tern_net_segment segment;
    struct ofi_op *frame;
    uint8_t epoch;
    void *to;

    if (ofi_peer_is_lost(pe) ||
        !ofi_card_locate(dest, (n - 1) * dst + bytes, &segment, &scatter.offset))
        return;
    channel = ofi_channel(channel);
    epoch = begin(channel);
    frame = ofi_message_room(pe, sizeof scatter + n * bytes);
    scatter.request = name_of(make(channel, epoch, pe));
    to = ofi_message_fill(frame, OFI_FRAME_SCATTER, &scatter, sizeof scatter);
    memcpy(to, source, n * bytes);
    frame->bytes += (uint32_t)(n * bytes);
    ofi_message_head(frame)->segment = (uint8_t)segment;
    ofi_message_post(frame);
    pthread_mutex_unlock(&OFI_DEFAULT->lock);
}

/* ---- signals ---- */

struct signal {
    struct ofi_group group; /* of the puts that go ahead */
    struct tern_net_channel *channel;
    struct request *request;
    struct ofi_frame_signal body;
    uint8_t op, segment;
};

static void fill_signal(struct ofi_op *frame, const struct signal *signal, const void *data)
{
    void *to = ofi_message_fill(frame, OFI_FRAME_SIGNAL, &signal->body, sizeof signal->body);

    memcpy(to, data, signal->body.data_bytes);
    frame->bytes += signal->body.data_bytes;
    ofi_message_head(frame)->op = signal->op;
    ofi_message_head(frame)->segment = signal->segment;
}

/* The puts have landed: now the signal, from wherever that was noticed. */
static void follow(struct ofi_group *group)
{
    struct signal *signal = (struct signal *)group;
    struct tern_net_channel *channel = signal->channel;
    struct ofi_op *frame;

    if (channel != OFI_DEFAULT)
        pthread_mutex_lock(&OFI_DEFAULT->lock);
    frame = ofi_op_take_more(OFI_DEFAULT, NULL, signal->request->pe);
    if (frame) {
        fill_signal(frame, signal, "");
        ofi_message_post(frame);
    } else {
        finish(signal->request, 0);
        ofi.host->error("no memory for a signal's message");
    }
    if (channel != OFI_DEFAULT)
        pthread_mutex_unlock(&OFI_DEFAULT->lock);
    free(signal);
}

static struct signal *make_signal(struct tern_net_channel *channel, const struct signal *plan,
                                  int pe)
{
    struct ofi_wait wait = {.pe = pe};
    struct signal *signal;
    uint8_t epoch;

    while (!(signal = malloc(sizeof *signal)))
        ofi_wait_step(channel, &wait);
    *signal = *plan;
    epoch = begin(channel);
    signal->request = make(channel, epoch, pe);
    signal->body.request = name_of(signal->request);
    pthread_mutex_unlock(&OFI_DEFAULT->lock);
    return signal;
}

/* With the channel's lock, as completions have it. */
static void release_signal(struct signal *signal)
{
    struct tern_net_channel *channel = signal->channel;

    pthread_mutex_lock(&channel->lock);
    ofi_rma_count_down(&signal->group);
    pthread_mutex_unlock(&channel->lock);
}

static void signal_with_data(const struct signal *plan, const void *source, int pe)
{
    struct signal signal = *plan;
    uint8_t epoch = begin(signal.channel);
    struct ofi_op *frame = ofi_message_room(pe, sizeof signal.body + signal.body.data_bytes);

    signal.request = make(signal.channel, epoch, pe);
    signal.body.request = name_of(signal.request);
    fill_signal(frame, &signal, source);
    ofi_message_post(frame);
    pthread_mutex_unlock(&OFI_DEFAULT->lock);
}

void ofi_request_put_signal(struct tern_net_channel *channel, void *dest, const void *source,
                            size_t bytes, uint64_t *sig_addr, uint64_t value, enum tern_net_op op,
                            bool nbi, int pe)
{
    struct signal plan = {
        .group = {.left = 1, .then = follow},
        .channel = ofi_channel(channel),
        .body = {.signal = value},
        .op = (uint8_t)op,
    };
    enum tern_net_segment segment, data_segment = TERN_NET_HEAP;
    struct signal *signal;

    if (ofi_peer_is_lost(pe) ||
        !ofi_card_locate(sig_addr, sizeof *sig_addr, &segment, &plan.body.offset) ||
        (bytes && !ofi_card_locate(dest, bytes, &data_segment, &plan.body.data_offset)))
        return;
    plan.segment = (uint8_t)segment;
    plan.body.data_segment = (uint8_t)data_segment;
    if (bytes <= SIGNAL_DATA) {
        plan.body.data_bytes = (uint32_t)bytes;
        signal_with_data(&plan, source, pe);
        return;
    }
    if (!nbi) {
        struct ofi_group group = {0};

        ofi_rma_put_group(plan.channel, dest, source, bytes, &group, pe);
        ofi_wait_group(plan.channel, &group, pe);
        plan.body.data_offset = 0;
        signal_with_data(&plan, source, pe);
        return;
    }
    plan.body.data_offset = 0;
    signal = make_signal(plan.channel, &plan, pe);
    ofi_rma_put_group(plan.channel, dest, source, bytes, &signal->group, pe);
    release_signal(signal);
}

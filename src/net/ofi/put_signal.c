/* SPDX-License-Identifier: BSD-3-Clause */
/* Puts with signal: the data arrive before the signal. */
#include "net/ofi/put_signal.h"

#include <stdlib.h>

#include "net/ofi/engine.h"
#include "net/ofi/message.h"
#include "net/ofi/op.h"
#include "net/ofi/order.h"
#include "net/ofi/peer.h"
#include "net/ofi/progress.h"
#include "net/ofi/request.h"
#include "net/ofi/rma.h"
#include "net/ofi/wire.h"

/* The most data in the signal's own frame; longer data are put before it. */
#define SIGNAL_DATA 4096

struct signal {
    struct ofi_group group; /* of the puts before the signal */
    struct tern_net_channel *channel;
    struct ofi_request *request;
    struct ofi_frame_signal body;
    uint8_t op, segment;
};

static void fill_signal(struct ofi_op *frame, const struct signal *signal, const void *data)
{
    ofi_message_fill(frame, OFI_FRAME_SIGNAL, &signal->body, sizeof signal->body);
    ofi_message_append(frame, data, signal->body.data_bytes);
    ofi_message_head(frame)->op = signal->op;
    ofi_message_head(frame)->segment = signal->segment;
}

/* Sends the signal when the puts are complete, on whichever thread sees that. */
static void follow(struct ofi_group *group)
{
    struct signal *signal = (struct signal *)group;
    struct tern_net_channel *channel = signal->channel;
    struct ofi_op *frame;

    if (channel != OFI_DEFAULT)
        pthread_mutex_lock(&OFI_DEFAULT->lock);
    frame = ofi_op_take_more(OFI_DEFAULT, NULL, signal->request->pe);
    fill_signal(frame, signal, "");
    ofi_message_post(frame);
    if (channel != OFI_DEFAULT)
        pthread_mutex_unlock(&OFI_DEFAULT->lock);
    free(signal);
}

static struct signal *make_signal(const struct signal *plan)
{
    struct signal *signal = malloc(sizeof *signal);

    if (!signal)
        ofi.host->no_memory(NULL, "a signal over the network", sizeof *signal);
    *signal = *plan;
    return signal;
}

static void order_before_request(struct tern_net_channel *channel)
{
    pthread_mutex_lock(&channel->lock);
    ofi_order_before_request(channel);
    pthread_mutex_unlock(&channel->lock);
}

static void begin_request(struct signal *signal, int pe)
{
    uint8_t epoch = ofi_request_begin(signal->channel);

    signal->request = ofi_request_make(signal->channel, epoch, pe);
    signal->body.request = ofi_request_name(signal->request);
    pthread_mutex_unlock(&OFI_DEFAULT->lock);
}

/* Takes the channel's lock, which completions hold. */
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
    uint8_t epoch = ofi_request_begin(signal.channel);
    struct ofi_op *frame = ofi_message_room(pe, sizeof signal.body + signal.body.data_bytes);

    signal.request = ofi_request_make(signal.channel, epoch, pe);
    signal.body.request = ofi_request_name(signal.request);
    fill_signal(frame, &signal, source);
    ofi_message_post(frame);
    pthread_mutex_unlock(&OFI_DEFAULT->lock);
}

void ofi_put_signal(struct tern_net_channel *channel, uint64_t dest, const void *source,
                    size_t bytes, uint64_t sig_addr, uint64_t value, enum tern_net_op op, bool nbi,
                    int pe)
{
    struct signal plan = {
        .group = {.left = 1, .then = follow},
        .channel = ofi_channel(channel),
        .body = {.signal = value, .offset = tern_net_distance_of(sig_addr)},
        .op = (uint8_t)op,
        .segment = (uint8_t)tern_net_segment_of(sig_addr),
    };
    struct signal *signal;

    if (ofi_peer_is_lost(pe))
        return;
    if (bytes <= SIGNAL_DATA) {
        plan.body.data_bytes = (uint32_t)bytes;
        plan.body.data_segment = (uint8_t)tern_net_segment_of(dest);
        plan.body.data_offset = bytes ? tern_net_distance_of(dest) : 0;
        signal_with_data(&plan, source, pe);
        return;
    }
    if (!nbi) {
        struct ofi_group group = {0};

        ofi_rma_put_group(plan.channel, dest, source, bytes, &group, pe);
        ofi_wait_group(plan.channel, &group, pe);
        signal_with_data(&plan, source, pe);
        return;
    }
    /* The put may wait for fenced requests. The signal's own request must not be among them. */
    signal = make_signal(&plan);
    order_before_request(plan.channel);
    ofi_rma_put_group(plan.channel, dest, source, bytes, &signal->group, pe);
    begin_request(signal, pe);
    release_signal(signal);
}

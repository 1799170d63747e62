/* SPDX-License-Identifier: BSD-3-Clause */
/* Fence and quiet. */
#include "net/ofi/order.h"

#include "base/atomics.h"
#include "net/ofi/channel.h"
#include "net/ofi/engine.h"
#include "net/ofi/progress.h"
#include "net/ofi/service.h"

/*
 * Puts are the provider's RMA, everything else is messages, which the target carries out in order;
 * the two are not ordered with each other. So a fence only sets a flag for each kind that is
 * pending, and the start of an operation of the other kind waits for those.
 */
void ofi_order_fence(struct tern_net_channel *channel)
{
    channel = ofi_channel(channel);
    pthread_mutex_lock(&channel->lock);
    channel->fences++;
    for (int i = 0; i < 2; i++) {
        channel->fenced_puts |= channel->pending[i].puts > 0;
        channel->fenced_requests |= tern_load_relaxed(&channel->pending[i].requests) > 0;
    }
    pthread_mutex_unlock(&channel->lock);
}

/*
 * Waits until all operations of an epoch are done, while other threads start some in the next one.
 * The epoch after that can begin only when this one is done, so its number ends the wait as well.
 */
static void drain(struct tern_net_channel *channel, uint32_t epoch)
{
    struct ofi_pending *pending = &channel->pending[epoch & 1];
    struct ofi_wait wait = {.pe = -1};

    /* Acquire: the partner is the answer that counts a request down. */
    while (channel->epoch - epoch < 2 &&
           (pending->puts || pending->gets || tern_load_acquire(&pending->requests)))
        ofi_wait_unlocked(channel, &wait);
}

/* Everything that was started before, with the channel's lock held. */
static void complete(struct tern_net_channel *channel)
{
    uint32_t epoch = channel->epoch, fences = channel->fences;

    drain(channel, epoch - 1);
    if (channel->epoch == epoch)
        channel->epoch++;
    drain(channel, epoch);
    if (channel->fences == fences) /* else another thread's fence stands behind later operations */
        channel->fenced_puts = channel->fenced_requests = false;
}

void ofi_order_quiet(struct tern_net_channel *channel)
{
    channel = ofi_channel(channel);
    pthread_mutex_lock(&channel->lock);
    complete(channel);
    pthread_mutex_unlock(&channel->lock);
    ofi_wait_over(-1);
}

void ofi_order_count(struct tern_net_channel *channel, struct tern_net_counts *counts)
{
    channel = ofi_channel(channel);
    pthread_mutex_lock(&channel->lock);
    *counts = (struct tern_net_counts){
        .writes = channel->writes,
        .writes_done = channel->writes,
        .reads = channel->reads,
        .reads_done = channel->reads,
        .served = ofi_service_count(),
    };
    for (int i = 0; i < 2; i++) { /* Acquire: as in drain() */
        counts->writes_done -=
            channel->pending[i].puts + tern_load_acquire(&channel->pending[i].requests);
        counts->reads_done -= channel->pending[i].gets;
    }
    pthread_mutex_unlock(&channel->lock);
}

bool ofi_order_is_quiet(struct tern_net_channel *channel)
{
    struct tern_net_counts counts;

    ofi_order_count(channel, &counts);
    return counts.writes == counts.writes_done && counts.reads == counts.reads_done;
}

void ofi_order_before_put(struct tern_net_channel *channel)
{
    if (tern_unlikely(channel->fenced_requests || (channel->fenced_puts && !ofi.ordered_puts)))
        complete(channel);
}

void ofi_order_before_request(struct tern_net_channel *channel)
{
    if (tern_unlikely(channel->fenced_puts))
        complete(channel);
}

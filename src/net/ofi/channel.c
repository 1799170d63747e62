/* SPDX-License-Identifier: BSD-3-Clause */
/* Channels: entries of a small table, opened and closed by the library. */
#include <rdma/fi_errno.h>

#include "net/ofi/channel.h"

#include "base/atomics.h"
#include "net/ofi/endpoint.h"
#include "net/ofi/engine.h"
#include "net/ofi/progress_thread.h"

static pthread_mutex_t table_lock = PTHREAD_MUTEX_INITIALIZER;

static struct tern_net_channel *find_place(void)
{
    for (int i = 1; i < OFI_CHANNELS; i++)
        if (!ofi.channels[i].ep)
            return &ofi.channels[i];
    return NULL;
}

struct tern_net_channel *ofi_channel_open(void)
{
    struct tern_net_channel *channel;
    int r = -FI_ENOSPC;

    pthread_mutex_lock(&table_lock);
    channel = find_place();
    if (channel) {
        pthread_mutex_lock(&channel->lock);
        r = ofi_endpoint_add(channel);
        pthread_mutex_unlock(&channel->lock);
    }
    if (!r && channel->index >= ofi.n_channels)
        tern_store_release(&ofi.n_channels,
                           channel->index +
                               1); /* partner: the loads of threads that poll all channels */
    pthread_mutex_unlock(&table_lock);
    if (r)
        return NULL;
    ofi_progress_thread_channels_changed();
    return channel;
}

void ofi_channel_close(struct tern_net_channel *channel)
{
    if (!channel || channel == OFI_DEFAULT)
        return;
    pthread_mutex_lock(&table_lock);
    pthread_mutex_lock(&channel->lock);
    ofi_endpoint_remove(channel);
    channel->fenced_puts = channel->fenced_requests = false;
    pthread_mutex_unlock(&channel->lock);
    pthread_mutex_unlock(&table_lock);
    ofi_progress_thread_channels_changed();
}

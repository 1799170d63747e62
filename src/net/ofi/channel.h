/* SPDX-License-Identifier: BSD-3-Clause */
/* Channels: endpoints with their completion queues, opened and closed by the library. */
#ifndef TERN_NET_OFI_CHANNEL_H
#define TERN_NET_OFI_CHANNEL_H

#include <pthread.h>
#include <rdma/fi_endpoint.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/compiler.h"
#include "net/net.h"
#include "net/ofi/op.h"

/*
 * Each channel is an endpoint with a completion queue and a lock. Requests and all other messages
 * go through the default channel, whose endpoint is the one that peers know; the others carry puts
 * and gets. Locks are taken in the order: another channel, the default channel, peers.
 */
#define OFI_CHANNELS 17 /* the default one and 16 more */

/* Pending operations of a channel: its lock protects puts and gets; `requests` is atomic. */
struct ofi_pending {
    uint32_t puts, gets, requests;
};

struct tern_net_channel {
    TERN_ALIGNED(TERN_LINE) pthread_mutex_t lock;
    int index; /* in the engine's table; -1 while the entry is free */
    struct fid_ep *ep;
    struct fid_cq *cq;
    int fd; /* to sleep on, or -1 */
    struct ofi_op *free_ops;
    struct ofi_buffer *free_buffers;
    struct ofi_slab *slabs;
    uint32_t n_ops, n_buffers;
    /* quiet begins an epoch and waits for the one before, while other threads start operations. */
    uint32_t epoch;
    struct ofi_pending pending[2];
    uint64_t writes, reads; /* that were ever started */
    bool fenced_puts;       /* a fence stands behind puts that are pending */
    bool fenced_requests;   /* likewise requests */
    uint32_t fences;        /* that were ever called */
    uint32_t starts;        /* of puts and gets */
    uint32_t swept;         /* losses of peers that this channel has processed */
};

struct tern_net_channel *ofi_channel_open(void);
void ofi_channel_close(struct tern_net_channel *channel);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* Pools of operations and buffers, one for each channel, which grow by slabs. */
#include "net/ofi/op.h"

#include <rdma/fi_errno.h>
#include <stdlib.h>

#include "base/atomics.h"
#include "net/ofi/endpoint.h"
#include "net/ofi/engine.h"
#include "net/ofi/peer.h"

#define OPS_A_SLAB 64
#define OPS_MOST 1024 /* that wait for room may hold of a channel */
#define BUFFERS_A_SLAB 8
#define BUFFERS_MOST 64

static struct ofi_slab *make_slab(struct tern_net_channel *channel, size_t item, uint32_t n,
                                  void **items, void **desc)
{
    size_t head = (sizeof(struct ofi_slab) + 63) & ~(size_t)63, bytes = head + item * n;
    struct ofi_slab *slab = aligned_alloc(64, (bytes + 63) & ~(size_t)63);

    if (!slab)
        ofi.host->no_memory(NULL, "operations over the network", bytes);
    *slab = (struct ofi_slab){.n = n, .next = channel->slabs};
    if (ofi.local_mr && ofi_endpoint_register(slab, bytes, &slab->mr) != 0)
        ofi.host->no_memory(NULL, "registered operations over the network", bytes);
    *items = (char *)slab + head;
    *desc = slab->mr ? fi_mr_desc(slab->mr) : NULL;
    channel->slabs = slab;
    return slab;
}

static void more_ops(struct tern_net_channel *channel)
{
    void *items, *desc;
    struct ofi_slab *slab = make_slab(channel, sizeof(struct ofi_op), OPS_A_SLAB, &items, &desc);

    slab->ops = items;
    for (int i = 0; i < OPS_A_SLAB; i++) {
        slab->ops[i] = (struct ofi_op){.channel = channel, .desc = desc, .next = channel->free_ops};
        channel->free_ops = &slab->ops[i];
    }
    channel->n_ops += OPS_A_SLAB;
}

static void more_buffers(struct tern_net_channel *channel)
{
    void *items, *desc;
    struct ofi_buffer *buffers;

    make_slab(channel, sizeof(struct ofi_buffer), BUFFERS_A_SLAB, &items, &desc);
    buffers = items;
    for (int i = 0; i < BUFFERS_A_SLAB; i++) {
        buffers[i].next = channel->free_buffers;
        buffers[i].desc = desc;
        channel->free_buffers = &buffers[i];
    }
    channel->n_buffers += BUFFERS_A_SLAB;
}

struct ofi_op *ofi_op_take_more(struct tern_net_channel *channel, ofi_done *done, int pe)
{
    struct ofi_op *op;

    if (!channel->free_ops)
        more_ops(channel);
    op = channel->free_ops;
    channel->free_ops = op->next;
    op->done = done;
    op->pe = pe;
    op->buffer = NULL;
    op->group = NULL;
    op->dest = NULL;
    op->epoch = (uint8_t)(channel->epoch & 1);
    op->state = OFI_OP_BUSY;
    return op;
}

struct ofi_op *ofi_op_take(struct tern_net_channel *channel, ofi_done *done, int pe)
{
    if (!channel->free_ops && channel->n_ops >= OPS_MOST)
        return NULL;
    return ofi_op_take_more(channel, done, pe);
}

void ofi_op_buffer_more(struct ofi_op *op)
{
    struct tern_net_channel *channel = op->channel;

    if (!channel->free_buffers)
        more_buffers(channel);
    op->buffer = channel->free_buffers;
    channel->free_buffers = op->buffer->next;
}

bool ofi_op_buffer(struct ofi_op *op)
{
    struct tern_net_channel *channel = op->channel;

    if (!channel->free_buffers && channel->n_buffers >= BUFFERS_MOST)
        return false;
    ofi_op_buffer_more(op);
    return true;
}

void ofi_op_release(struct ofi_op *op)
{
    struct tern_net_channel *channel = op->channel;

    if (op->state == OFI_OP_ABANDONED)
        return; /* its bytes may still be in use: ofi_op_finish() will come */
    if (op->buffer) {
        op->buffer->next = channel->free_buffers;
        channel->free_buffers = op->buffer;
        op->buffer = NULL;
    }
    op->state = OFI_OP_FREE;
    op->next = channel->free_ops;
    channel->free_ops = op;
}

void ofi_op_finish(struct ofi_op *op, int error)
{
    if (op->state != OFI_OP_ABANDONED) {
        op->done(op, error);
        return;
    }
    op->state = OFI_OP_BUSY;
    ofi_op_release(op);
}

/* The provider may complete the operation late or never; no thread waits for it any more. */
void ofi_op_sweep(struct tern_net_channel *channel)
{
    channel->swept = tern_load_acquire(&ofi.losses);
    for (struct ofi_slab *slab = channel->slabs; slab; slab = slab->next) {
        for (uint32_t i = 0; slab->ops && i < slab->n; i++) {
            struct ofi_op *op = &slab->ops[i];

            if (op->state == OFI_OP_BUSY && op->pe >= 0 && ofi_peer_is_lost(op->pe)) {
                op->state = OFI_OP_ABANDONED;
                op->done(op, -FI_ECANCELED);
            }
        }
    }
}

/* Of two peers the one that follows `pe` sooner, cyclically. */
static int sooner(int pe, int a, int b)
{
    int n = ofi.host->n_pes;

    return b < 0 || (a >= 0 && (a - pe - 1 + n) % n < (b - pe - 1 + n) % n) ? a : b;
}

int ofi_op_next_peer(struct tern_net_channel *channel, int pe)
{
    int next = -1;

    for (struct ofi_slab *slab = channel->slabs; slab; slab = slab->next)
        for (uint32_t i = 0; slab->ops && i < slab->n; i++)
            if (slab->ops[i].state == OFI_OP_BUSY && slab->ops[i].pe >= 0)
                next = sooner(pe, slab->ops[i].pe, next);
    return next;
}

void ofi_op_free_all(struct tern_net_channel *channel)
{
    while (channel->slabs) {
        struct ofi_slab *slab = channel->slabs;

        channel->slabs = slab->next;
        if (slab->mr)
            fi_close(&slab->mr->fid);
        free(slab);
    }
    channel->free_ops = NULL;
    channel->free_buffers = NULL;
    channel->n_ops = channel->n_buffers = 0;
}

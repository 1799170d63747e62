/* SPDX-License-Identifier: BSD-3-Clause */
/* Puts and gets: RMA of the provider, split at its limits, through buffers where it needs them. */
#include "net/ofi/rma.h"

#include <rdma/fi_errno.h>
#include <rdma/fi_rma.h>
#include <string.h>

#include "base/atomics.h"
#include "net/ofi/card.h"
#include "net/ofi/engine.h"
#include "net/ofi/log.h"
#include "net/ofi/op.h"
#include "net/ofi/order.h"
#include "net/ofi/peer.h"
#include "net/ofi/progress.h"
#include "net/ofi/progress_thread.h"

/* The target's side of a transfer. */
struct remote {
    fi_addr_t peer;
    uint64_t addr, key;
    int pe;
};

static bool find_remote(struct remote *remote, uint64_t offset, int pe)
{
    if (!ofi_peer_reach(pe, &remote->peer))
        return false;
    ofi_card_remote(pe, offset, &remote->addr, &remote->key);
    remote->pe = pe;
    return true;
}

/* Whether the provider can access that memory directly; *desc is its registration, or NULL. */
static bool usable(const void *addr, size_t bytes, void **desc)
{
    enum tern_net_segment segment;

    *desc = NULL;
    if (!ofi.local_mr)
        return true;
    if (!ofi_card_has(addr, bytes, &segment))
        return false;
    *desc = fi_mr_desc(ofi.mr[segment]);
    return true;
}

void ofi_rma_count_down(struct ofi_group *group)
{
    void (*then)(struct ofi_group *);

    if (!group)
        return;
    then = group->then; /* a group without `then` may be freed once `left` is zero */
    if (__atomic_sub_fetch(&group->left, 1, __ATOMIC_ACQ_REL) == 0 && then)
        then(group); /* partner: ofi_wait_group() */
}

static void put_done(struct ofi_op *op, int error)
{
    struct ofi_group *group = op->group;

    op->channel->pending[op->epoch].puts--;
    ofi_op_release(op);
    ofi_rma_count_down(group);
}

static void get_done(struct ofi_op *op, int error)
{
    struct ofi_group *group = op->group;

    if (op->dest && !error)
        memcpy(op->dest, ofi_op_bytes(op), op->bytes);
    op->channel->pending[op->epoch].gets--;
    ofi_op_release(op);
    ofi_rma_count_down(group);
}

/* A thread that starts one operation after the other polls for completions as well. */
#define STARTS_PER_POLL 16

static void poll_sometimes(struct tern_net_channel *channel)
{
    if (++channel->starts % STARTS_PER_POLL)
        return;
    if (channel == OFI_DEFAULT)
        ofi_progress_thread_polled();
    ofi_progress_locked(channel);
}

/* An operation that is counted as pending; with a buffer if `buffer`. */
static struct ofi_op *take(struct tern_net_channel *channel, ofi_done *done,
                           struct ofi_group *group, int pe, bool buffer)
{
    struct ofi_wait wait = {.pe = pe};
    struct ofi_op *op;

    poll_sometimes(channel);
    while (!(op = ofi_op_take(channel, done, pe)))
        ofi_wait_unlocked(channel, &wait);
    while (buffer && !ofi_op_buffer(op))
        ofi_wait_unlocked(channel, &wait);
    op->group = group;
    if (group)
        tern_fetch_add(&group->left, 1);
    if (done == put_done) {
        channel->pending[op->epoch].puts++;
        channel->writes++;
    } else {
        channel->pending[op->epoch].gets++;
        channel->reads++;
    }
    return op;
}

static ssize_t start(struct ofi_op *op, void *local, void *desc, size_t bytes,
                     const struct remote *remote)
{
    struct iovec iov = {local, bytes};
    struct fi_rma_iov rma = {remote->addr, bytes, remote->key};
    struct fi_msg_rma msg = {
        .msg_iov = &iov,
        .desc = &desc,
        .iov_count = 1,
        .addr = remote->peer,
        .rma_iov = &rma,
        .rma_iov_count = 1,
        .context = op,
    };

    if (op->done == put_done)
        return fi_writemsg(op->channel->ep, &msg, FI_COMPLETION | FI_DELIVERY_COMPLETE);
    return fi_readmsg(op->channel->ep, &msg, FI_COMPLETION);
}

static void post(struct ofi_op *op, void *local, void *desc, size_t bytes,
                 const struct remote *remote)
{
    struct ofi_wait wait = {.pe = remote->pe};
    ssize_t r;

    while ((r = start(op, local, desc, bytes, remote)) == -FI_EAGAIN) {
        ofi_wait_unlocked(op->channel, &wait);
        if (op->state == OFI_OP_ABANDONED || ofi_peer_is_lost(remote->pe)) {
            ofi_op_finish(op, -FI_ECANCELED);
            return;
        }
    }
    if (r == 0)
        return;
    ofi_peer_lost(remote->pe, fi_strerror((int)-r));
    ofi_op_finish(op, (int)r);
}

/* The size of the next piece of a transfer. */
static size_t piece(size_t bytes, bool buffered)
{
    size_t most = buffered && ofi.max_rma > OFI_COPIED ? OFI_COPIED : ofi.max_rma;

    return bytes < most ? bytes : most;
}

static void put_copied(struct tern_net_channel *channel, const char *source, size_t bytes,
                       struct remote *remote, struct ofi_group *group)
{
    while (bytes) {
        size_t n = piece(bytes, true);
        struct ofi_op *op = take(channel, put_done, group, remote->pe, n > OFI_SMALL);

        memcpy(ofi_op_bytes(op), source, n);
        post(op, ofi_op_bytes(op), ofi_op_desc(op), n, remote);
        source += n;
        remote->addr += n;
        bytes -= n;
    }
}

static void put_in_place(struct tern_net_channel *channel, const char *source, void *desc,
                         size_t bytes, struct remote *remote, struct ofi_group *group)
{
    while (bytes) {
        size_t n = piece(bytes, false);
        struct ofi_op *op = take(channel, put_done, group, remote->pe, false);

        post(op, (void *)source, desc, n, remote);
        source += n;
        remote->addr += n;
        bytes -= n;
    }
}

/* copy: the caller may change source before the put is complete. */
static void start_put(struct tern_net_channel *channel, uint64_t dest, const void *source,
                      size_t bytes, struct ofi_group *group, int pe, bool copy)
{
    struct remote remote;
    void *desc;

    if (!bytes || !find_remote(&remote, dest, pe))
        return;
    pthread_mutex_lock(&channel->lock);
    ofi_order_before_put(channel);
    if (copy || bytes <= OFI_SMALL || !usable(source, bytes, &desc))
        put_copied(channel, source, bytes, &remote, group);
    else
        put_in_place(channel, source, desc, bytes, &remote, group);
    pthread_mutex_unlock(&channel->lock);
}

void ofi_rma_put_nbi(struct tern_net_channel *channel, uint64_t dest, const void *source,
                     size_t bytes, int pe)
{
    start_put(ofi_channel(channel), dest, source, bytes, NULL, pe, false);
}

void ofi_rma_put_group(struct tern_net_channel *channel, uint64_t dest, const void *source,
                       size_t bytes, struct ofi_group *group, int pe)
{
    start_put(channel, dest, source, bytes, group, pe, false);
}

void ofi_rma_put(struct tern_net_channel *channel, uint64_t dest, const void *source, size_t bytes,
                 int pe)
{
    struct ofi_group group = {0};

    channel = ofi_channel(channel);
    if (bytes <= OFI_COPIED) {
        start_put(channel, dest, source, bytes, NULL, pe, true);
        return;
    }
    start_put(channel, dest, source, bytes, &group, pe, false);
    ofi_wait_group(channel, &group, pe);
}

static void start_get(struct tern_net_channel *channel, char *dest, size_t bytes,
                      struct remote *remote, struct ofi_group *group)
{
    void *desc;
    bool in_place = usable(dest, bytes, &desc);

    while (bytes) {
        size_t n = piece(bytes, !in_place);
        struct ofi_op *op = take(channel, get_done, group, remote->pe, !in_place && n > OFI_SMALL);

        if (in_place) {
            post(op, dest, desc, n, remote);
        } else {
            op->dest = dest;
            op->bytes = (uint32_t)n;
            post(op, ofi_op_bytes(op), ofi_op_desc(op), n, remote);
        }
        dest += n;
        remote->addr += n;
        bytes -= n;
    }
}

void ofi_rma_get_group(struct tern_net_channel *channel, void *dest, uint64_t source, size_t bytes,
                       struct ofi_group *group, int pe)
{
    struct remote remote;

    if (!bytes || !find_remote(&remote, source, pe))
        return;
    pthread_mutex_lock(&channel->lock);
    start_get(channel, dest, bytes, &remote, group);
    pthread_mutex_unlock(&channel->lock);
}

void ofi_rma_get_nbi(struct tern_net_channel *channel, void *dest, uint64_t source, size_t bytes,
                     int pe)
{
    ofi_rma_get_group(ofi_channel(channel), dest, source, bytes, NULL, pe);
}

void ofi_rma_get(struct tern_net_channel *channel, void *dest, uint64_t source, size_t bytes,
                 int pe)
{
    struct ofi_group group = {0};

    channel = ofi_channel(channel);
    ofi_rma_get_group(channel, dest, source, bytes, &group, pe);
    ofi_wait_group(channel, &group, pe);
}

static void probe_done(struct ofi_op *op, int error)
{
    ofi_op_release(op);
}

void ofi_rma_probe(int pe)
{
    struct tern_net_channel *channel = OFI_DEFAULT;
    struct remote remote;
    struct ofi_op *op;

    if (!find_remote(&remote, 0, pe))
        return;
    pthread_mutex_lock(&channel->lock);
    op = ofi_op_take(channel, probe_done, pe);
    if (op && start(op, op->small, op->desc, OFI_SMALL, &remote) != 0)
        ofi_op_release(op);
    pthread_mutex_unlock(&channel->lock);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Frames between PEs: sent in order for each peer, received into buffers that are always posted. */
#include "net/ofi/message.h"

#include <errno.h>
#include <rdma/fi_errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/atomics.h"
#include "net/ofi/card.h"
#include "net/ofi/endpoint.h"
#include "net/ofi/engine.h"
#include "net/ofi/log.h"
#include "net/ofi/op.h"
#include "net/ofi/peer.h"
#include "net/ofi/progress.h"
#include "net/ofi/request.h"
#include "net/ofi/service.h"
#include "net/ofi/wire.h"

/* Receive buffers: a few large ones for many frames each, or one for each frame. */
#define PACKED 4
#define PACKED_BYTES (16 * OFI_BUFFER)
#define SINGLE 64

/*
 * How far ahead of its turn a frame may arrive, and the memory of all that do. Providers deliver
 * few frames early; the bounds are for peers that break the protocol.
 */
#define EARLY_FRAMES 16384u
#define EARLY_BYTES ((size_t)64 << 20)

/* A frame that arrived before earlier ones. */
struct early {
    struct early *next;
    size_t bytes;
    unsigned char frame[];
};

static struct {
    unsigned char *memory;
    struct fid_mr *mr;
    size_t bytes; /* of each buffer */
    struct early *early;
    size_t early_bytes;      /* of all early frames */
    struct ofi_op *unposted; /* receive buffers that the provider has refused */
    struct ofi_op *backlog, **backlog_end;
    uint64_t moved;     /* when the backlog was last empty, or one of its frames was sent */
    uint32_t under_way; /* frames that the provider has not completed */
} state;

/* ---- receiving ---- */

static void sent(struct ofi_op *op, int error);

static void never(struct ofi_op *op, int error)
{
}

static int post_receive(struct ofi_op *op)
{
    struct iovec iov = {op->dest, state.bytes};
    struct fi_msg msg = {
        .msg_iov = &iov,
        .desc = &op->desc,
        .iov_count = 1,
        .addr = FI_ADDR_UNSPEC,
        .context = op,
    };

    return (int)fi_recvmsg(OFI_DEFAULT->ep, &msg,
                           FI_COMPLETION | (ofi.multi_recv ? FI_MULTI_RECV : 0));
}

int ofi_message_start(void)
{
    int n = ofi.multi_recv ? PACKED : SINGLE, r = 0;

    state.bytes = ofi.multi_recv ? PACKED_BYTES : OFI_BUFFER;
    state.backlog = NULL;
    state.backlog_end = &state.backlog;
    state.memory = calloc((size_t)n, state.bytes);
    if (!state.memory)
        return -FI_ENOMEM;
    if (ofi.local_mr)
        r = ofi_endpoint_register(state.memory, (size_t)n * state.bytes, &state.mr);
    for (int i = 0; !r && i < n; i++) {
        struct ofi_op *op = ofi_op_take_more(OFI_DEFAULT, never, -1);

        op->dest = state.memory + (size_t)i * state.bytes;
        op->desc = state.mr ? fi_mr_desc(state.mr) : NULL;
        r = post_receive(op);
    }
    return r;
}

/* After the endpoint is closed. */
void ofi_message_stop(void)
{
    if (state.mr)
        fi_close(&state.mr->fid);
    while (state.early) {
        struct early *early = state.early;

        state.early = early->next;
        free(early);
    }
    free(state.memory);
    memset(&state, 0, sizeof state);
}

/*
 * With the lock held, so there is one at a time. In shared receive buffers, frames may have any
 * address. The senders' limits on frames under way bound the number of answers.
 */
static void carry_out(int from, const void *body, size_t bytes)
{
    static TERN_ALIGNED(16) unsigned char aligned[TERN_NET_FRAME_BYTES],
        answer[TERN_NET_FRAME_BYTES];
    struct ofi_op *op;

    if (bytes > sizeof aligned)
        return;
    if ((uintptr_t)body % sizeof(uint64_t))
        body = memcpy(aligned, body, bytes);
    bytes = ofi.host->carry_out(body, bytes, answer);
    op = ofi_op_take_more(OFI_DEFAULT, sent, from);
    if (bytes + sizeof(struct ofi_frame) > OFI_SMALL)
        ofi_op_buffer_more(op);
    ofi_message_fill(op, OFI_FRAME_ANSWER, answer, bytes);
    ofi_message_post(op);
}

static void deliver(const struct ofi_frame *head, const void *body, size_t bytes)
{
    int from = (int)head->from;

    switch (head->kind) {
    case OFI_FRAME_MESSAGE:
        ofi.host->received(from, body, bytes);
        return;
    case OFI_FRAME_AMO:
    case OFI_FRAME_SIGNAL:
    case OFI_FRAME_SCATTER:
        ofi_service_take(head, body, bytes);
        return;
    case OFI_FRAME_VALUE:
        ofi_request_value(from, body, bytes);
        return;
    case OFI_FRAME_DONE:
        ofi_request_done(from, body, bytes);
        return;
    case OFI_FRAME_GATHERED:
        carry_out(from, body, bytes);
        return;
    case OFI_FRAME_ANSWER:
        ofi.host->answered(from, body, bytes);
        return;
    }
}

/* The link to the early frame of that number, or NULL. */
static struct early **find_early(uint32_t from, uint32_t number)
{
    for (struct early **e = &state.early; *e; e = &(*e)->next) {
        struct ofi_frame head;

        memcpy(&head, (*e)->frame, sizeof head);
        if (head.from == from && head.number == number)
            return e;
    }
    return NULL;
}

static TERN_COLD void keep_early(const struct ofi_frame *head, const void *frame, size_t bytes,
                                 uint32_t ahead)
{
    size_t more = sizeof(struct early) + bytes;
    struct early *early;

    if (ahead > EARLY_FRAMES || more > EARLY_BYTES - state.early_bytes) {
        ofi_peer_lost((int)head->from, "its messages do not come in order");
        return;
    }
    if (find_early(head->from, head->number))
        return;
    early = malloc(more);
    if (!early)
        ofi.host->no_memory(NULL, "a frame that came early", more);
    early->bytes = bytes;
    memcpy(early->frame, frame, bytes);
    early->next = state.early;
    state.early = early;
    state.early_bytes += more;
}

/* The frame whose turn it is now, or NULL. */
static struct early *pick_early(uint32_t from)
{
    struct early **link = find_early(from, ofi.peers[from].taken), *early;

    if (!link)
        return NULL;
    early = *link;
    *link = early->next;
    state.early_bytes -= sizeof *early + early->bytes;
    return early;
}

/* Restores the order of frames, because a provider may complete them in another. */
static void take_frame(const unsigned char *frame, size_t bytes)
{
    struct ofi_frame head;
    struct early *early;
    int32_t ahead;

    if (bytes < sizeof head)
        return;
    memcpy(&head, frame, sizeof head);
    if (!ofi_card_is_own_token(head.token) || head.from >= (uint32_t)ofi.host->n_pes)
        return; /* not from this job */
    ahead = (int32_t)(head.number - ofi.peers[head.from].taken);
    if (ahead < 0)
        return;
    if (ahead > 0) {
        keep_early(&head, frame, bytes, (uint32_t)ahead);
        return;
    }
    ofi_peer_contacted((int)head.from);
    ofi.peers[head.from].taken++;
    deliver(&head, frame + sizeof head, bytes - sizeof head);
    while (tern_unlikely(state.early != NULL) && (early = pick_early(head.from))) {
        memcpy(&head, early->frame, sizeof head);
        ofi.peers[head.from].taken++;
        deliver(&head, early->frame + sizeof head, early->bytes - sizeof head);
        free(early);
    }
}

/* Posts the buffers that are not in use. Without memory they wait; the others serve meanwhile. */
static void post_again(void)
{
    struct ofi_op *op;
    char text[96];

    while ((op = state.unposted)) {
        int r = post_receive(op);

        if (r == -FI_EAGAIN || r == -FI_ENOMEM)
            return;
        state.unposted = op->next;
        if (!r)
            continue;
        snprintf(text, sizeof text, "a receive buffer could not be posted: %s", fi_strerror(-r));
        ofi.host->lost(ofi.host->pe, text);
    }
}

void ofi_message_take(struct ofi_op *op, const void *frame, size_t bytes, uint64_t flags)
{
    /* The last completion of a shared buffer may have no frame. */
    if (bytes)
        take_frame(ofi.multi_recv ? frame : op->dest, bytes);
    if (!ofi.multi_recv || (flags & FI_MULTI_RECV)) {
        op->next = state.unposted;
        state.unposted = op;
        post_again();
    }
}

/* ---- sending ---- */

static void sent(struct ofi_op *op, int error)
{
    state.under_way--;
    ofi_op_release(op);
}

void ofi_message_fill(struct ofi_op *op, unsigned kind, const void *body, size_t bytes)
{
    struct ofi_frame *head = ofi_message_head(op);

    *head = (struct ofi_frame){
        .token = ofi_card_token(op->pe),
        .from = (uint32_t)ofi.host->pe,
        .kind = (uint8_t)kind,
    };
    op->done = sent;
    op->bytes = sizeof *head;
    ofi_message_append(op, body, bytes);
}

void ofi_message_append(struct ofi_op *op, const void *data, size_t bytes)
{
    memcpy((char *)ofi_op_bytes(op) + op->bytes, data, bytes);
    op->bytes += (uint32_t)bytes;
}

struct ofi_frame *ofi_message_head(struct ofi_op *op)
{
    return ofi_op_bytes(op);
}

static ssize_t try_send(struct ofi_op *op)
{
    fi_addr_t addr;
    ssize_t r;

    if (!ofi_peer_reach(op->pe, &addr))
        return -FI_ECANCELED;
    r = fi_send(OFI_DEFAULT->ep, ofi_op_bytes(op), op->bytes, ofi_op_desc(op), addr, op);
    if (r && r != -FI_EAGAIN)
        ofi_peer_lost(op->pe, fi_strerror((int)-r));
    return r;
}

void ofi_message_post(struct ofi_op *op)
{
    struct ofi_peer *peer = &ofi.peers[op->pe];
    ssize_t r = -FI_EAGAIN;

    ofi_message_head(op)->number = peer->sent++;
    state.under_way++;
    if (!peer->queued)
        r = try_send(op);
    if (r == -FI_EAGAIN) {
        if (!state.backlog)
            state.moved = ofi_now_ns();
        peer->queued++;
        op->next = NULL;
        *state.backlog_end = op;
        state.backlog_end = &op->next;
    } else if (r) {
        ofi_op_finish(op, (int)r);
    }
}

/* Tries each frame, but after a refusal no more frames to that peer, to keep their order. */
bool ofi_message_flush(void)
{
    struct ofi_op **at = &state.backlog, *op;
    bool something = false;

    if (tern_unlikely(state.unposted != NULL))
        post_again();

    while ((op = *at)) {
        struct ofi_op *next = op->next;
        struct ofi_peer *peer = &ofi.peers[op->pe];
        ssize_t r = peer->stalled ? -FI_EAGAIN : try_send(op);

        if (r == -FI_EAGAIN) {
            peer->stalled = 1;
            at = &op->next;
            continue;
        }
        *at = next;
        peer->queued--;
        something = true;
        if (r)
            ofi_op_finish(op, (int)r);
    }
    state.backlog_end = at;
    if (something)
        state.moved = ofi_now_ns();
    for (op = state.backlog; op; op = op->next)
        ofi.peers[op->pe].stalled = 0;
    return something;
}

int ofi_message_stuck(uint64_t *since)
{
    if (!state.backlog)
        return -1;
    *since = state.moved;
    return state.backlog->pe;
}

uint32_t ofi_message_under_way(void)
{
    return tern_load_relaxed(&state.under_way);
}

bool ofi_message_lacks_buffers(void)
{
    return tern_load_relaxed(&state.unposted) != NULL;
}

struct ofi_op *ofi_message_room(int pe, size_t bytes)
{
    struct ofi_wait wait = {.pe = pe};
    struct ofi_op *op;

    while (!(op = ofi_op_take(OFI_DEFAULT, sent, pe)))
        ofi_wait_unlocked(OFI_DEFAULT, &wait);
    op->pe = -1; /* ofi_op_sweep() skips it until it is posted */
    while (bytes + sizeof(struct ofi_frame) > OFI_SMALL && !ofi_op_buffer(op))
        ofi_wait_unlocked(OFI_DEFAULT, &wait);
    op->pe = pe;
    return op;
}

static void send_body(unsigned kind, int pe, const void *body, size_t bytes)
{
    struct ofi_op *op;

    pthread_mutex_lock(&OFI_DEFAULT->lock);
    op = ofi_message_room(pe, bytes);
    ofi_message_fill(op, kind, body, bytes);
    ofi_message_post(op);
    pthread_mutex_unlock(&OFI_DEFAULT->lock);
}

void ofi_message_send(int pe, const void *message, size_t bytes)
{
    send_body(OFI_FRAME_MESSAGE, pe, message, bytes);
}

void ofi_message_frame(int pe, const void *frame, size_t bytes)
{
    send_body(OFI_FRAME_GATHERED, pe, frame, bytes);
}

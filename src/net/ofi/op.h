/* SPDX-License-Identifier: BSD-3-Clause */
/* Operations that the provider works on, their buffers, and the pools of both. */
#ifndef TERN_NET_OFI_OP_H
#define TERN_NET_OFI_OP_H

#include <rdma/fabric.h>
#include <rdma/fi_domain.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/compiler.h"
#include "net/net.h"

/* Payload of an operation that needs no buffer of its own: a frame with a signal and a word. */
#define OFI_SMALL 72

/* A buffer: the longest frame with its head. */
#define OFI_BUFFER (TERN_NET_FRAME_BYTES + 64)

/* The longest piece of a transfer that goes through a buffer. */
#define OFI_COPIED (TERN_NET_MESSAGE_BYTES + 64)

_Static_assert(OFI_COPIED <= OFI_BUFFER, "a piece fits in a buffer");

struct ofi_op;
struct ofi_buffer;

/* Operations that a caller waits for together, or a function that is called when all are done. */
struct ofi_group {
    uint32_t left;
    void (*then)(struct ofi_group *group); /* or NULL; with the channel's lock held */
};

_Static_assert(sizeof(struct ofi_group) <= sizeof(struct tern_net_group),
               "a group of the library's is one of the engine's");
_Static_assert(offsetof(struct ofi_group, left) == offsetof(struct tern_net_group, left),
               "both look at what is left");

/* Called with the channel's lock held when the provider is done with op; error: 0 or -FI_E... */
typedef void ofi_done(struct ofi_op *op, int error);

/*
 * An operation of the provider. `context` comes first: the provider uses it, and returns its
 * address in the completion.
 */
struct ofi_op {
    struct fi_context2 context;
    ofi_done *done;
    struct tern_net_channel *channel;
    struct ofi_op *next;       /* in the free list or a queue */
    struct ofi_buffer *buffer; /* or NULL */
    void *desc;                /* of `small`, for the provider */
    struct ofi_group *group;   /* or NULL */
    void *dest;                /* where a get copies its buffer to, or NULL */
    uint32_t bytes;
    int pe;        /* -1: none */
    uint8_t epoch; /* in which it is pending */
    uint8_t state;
    TERN_ALIGNED(8) unsigned char small[OFI_SMALL];
};

enum { OFI_OP_FREE, OFI_OP_BUSY, OFI_OP_ABANDONED };

struct ofi_buffer {
    struct ofi_buffer *next;
    void *desc;
    TERN_ALIGNED(16) unsigned char bytes[OFI_BUFFER];
};

/* A block of ops or buffers, registered as a whole if the provider requires it. */
struct ofi_slab {
    struct ofi_slab *next;
    struct fid_mr *mr;
    struct ofi_op *ops; /* NULL in a slab of buffers */
    uint32_t n;
};

/*
 * With the channel's lock held. NULL if the channel has as many as it may have; one will be
 * released. A lack of memory ends the process instead.
 */
struct ofi_op *ofi_op_take(struct tern_net_channel *channel, ofi_done *done, int pe);
/* The same without a limit, so never NULL: for callers that cannot wait. */
struct ofi_op *ofi_op_take_more(struct tern_net_channel *channel, ofi_done *done, int pe);
/* Gives op a buffer; false if the channel has as many as it may have. */
bool ofi_op_buffer(struct ofi_op *op);
void ofi_op_buffer_more(struct ofi_op *op); /* without a limit, as ofi_op_take_more() */
void ofi_op_release(struct ofi_op *op);
/* The provider has completed op, or has not taken it. */
void ofi_op_finish(struct ofi_op *op, int error);
void ofi_op_free_all(struct tern_net_channel *channel);
/* The next peer after `pe`, cyclically, to which an operation is pending; or -1. */
int ofi_op_next_peer(struct tern_net_channel *channel, int pe);
/* Ends pending operations to lost peers. */
void ofi_op_sweep(struct tern_net_channel *channel);

/* The bytes that an op carries itself. */
static inline void *ofi_op_bytes(struct ofi_op *op)
{
    return op->buffer ? op->buffer->bytes : op->small;
}

static inline void *ofi_op_desc(struct ofi_op *op)
{
    return op->buffer ? op->buffer->desc : op->desc;
}

#endif

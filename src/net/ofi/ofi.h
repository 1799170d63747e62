/* SPDX-License-Identifier: BSD-3-Clause */
/* The libfabric engine's objects, and the functions that its files share. */
#ifndef TERN_NET_OFI_OFI_H
#define TERN_NET_OFI_OFI_H

#include <pthread.h>
#include <rdma/fabric.h>
#include <rdma/fi_cm.h>
#include <rdma/fi_domain.h>
#include <rdma/fi_endpoint.h>
#include <rdma/fi_errno.h>
#include <rdma/fi_rma.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/atomics.h"
#include "net/net.h"
#include "net/ofi/wire.h"

/* The version of libfabric's interface that the engine uses; newer libraries support it. */
#define OFI_VERSION FI_VERSION(1, 14)

/*
 * Each channel is an endpoint with a completion queue and a lock. Requests and all other messages
 * go through the default channel, whose endpoint is the one that peers know; the others carry puts
 * and gets. Locks are taken in the order: another channel, the default channel, peers.
 */
#define OFI_CHANNELS 17 /* the default one and 16 more */

/* Payload of an operation that needs no buffer of its own. */
#define OFI_SMALL 64

/* A buffer: the longest message with its head. */
#define OFI_BUFFER (TERN_NET_MESSAGE_BYTES + 64)

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
    uint32_t starts;        /* of puts and gets */
    uint32_t swept;         /* losses of peers that this channel has processed */
};

/* A peer's state; its constant data are in its card. */
struct ofi_peer {
    fi_addr_t addr;       /* FI_ADDR_NOTAVAIL until it is first used */
    uint32_t sent, taken; /* numbers of the next frame to it and from it */
    uint32_t queued;      /* frames to it that wait in the backlog */
    uint8_t lost;
    uint8_t stalled;   /* the provider has refused a frame to it in this pass over the backlog */
    uint8_t contacted; /* an operation to it is complete, or a frame from it has arrived */
};

struct ofi_engine {
    const struct tern_net_host *host;
    struct fi_info *info;
    struct fid_fabric *fabric;
    struct fid_domain *domain;
    struct fid_av *av;
    struct fid_mr *mr[TERN_NET_SEGMENTS];
    bool local_mr;     /* local memory must be registered */
    bool ordered_puts; /* puts of one channel to one peer land in order */
    bool multi_recv;
    size_t max_rma; /* bytes in one operation */
    uint32_t token; /* peers prove with it that they have read this PE's card */
    struct ofi_peer *peers;
    pthread_mutex_t peers_lock;
    uint32_t losses;
    uint64_t served; /* requests of peers that were carried out */
    char description[160];
    char obstacle[200]; /* why the provider that was tried last can't be opened; or empty */
    int n_channels;     /* entries of the table that have ever been used */
    struct tern_net_channel channels[OFI_CHANNELS];
};

extern struct ofi_engine ofi;

/* For tests: the provider is used as if it had these limits. Nothing sets them in the plug-in. */
struct ofi_test_limits {
    bool local_mr, no_multi_recv, no_descriptor, unordered;
    size_t max_rma; /* 0: as it is */
};

extern struct ofi_test_limits ofi_test_limits;

#define OFI_DEFAULT (&ofi.channels[0])

/* ---- log.c: lines for the user ---- */
void ofi_log(void (*to)(const char *text), const char *format, ...) TERN_PRINTF(2, 3);
uint64_t ofi_now_ns(void);

/* ---- address.c: Internet addresses ---- */
struct sockaddr;
bool ofi_address_is_ip(uint32_t format); /* FI_SOCKADDR... */
/* Empty if the address is unknown, or NULL. */
void ofi_address_text(const struct sockaddr *address, char *text, size_t bytes);
bool ofi_address_is_loopback(const char *address);
/* Whether that address belongs to the interface of that name. */
bool ofi_address_is_of(const char *interface, const char *address);
bool ofi_address_has_port(const struct sockaddr *address);

/* ---- environment.c: libfabric's own settings, unless the user has set them ---- */
/* Before the first call of libfabric, and after it. */
void ofi_environment_set_defaults(int n_pes);
void ofi_environment_restore(void);

/* ---- provider.c: which provider serves the job ---- */

/* Calls try() for one candidate after the other until one returns 0; else -errno, with reasons. */
int ofi_provider_choose(const struct tern_net_host *host, int (*try)(struct fi_info *info));
void ofi_provider_survey(const struct tern_net_host *host,
                         void (*line)(void *arg, const char *text), void *arg);

/* ---- endpoint.c: the objects of one provider ---- */
int ofi_endpoint_start(struct fi_info *info);
void ofi_endpoint_stop(void);
int ofi_endpoint_add(struct tern_net_channel *channel);
void ofi_endpoint_remove(struct tern_net_channel *channel);
/* Memory of the engine's own, for providers that want it registered. */
int ofi_endpoint_register(void *start, size_t bytes, struct fid_mr **mr);

/* ---- card.c: the address card ---- */
int ofi_card_write(void *card);
/* 0, or -EPROTO after a message if that PE's card and this PE's do not fit. */
int ofi_card_check(int pe);
const void *ofi_card_address(int pe);
uint32_t ofi_card_token(int pe);

/* Whether all bytes are in a segment of this PE, and in which. */
bool ofi_card_has(const void *addr, size_t bytes, enum tern_net_segment *segment);
/* An object of a peer, as the provider names it. */
void ofi_card_remote(int pe, uint64_t offset, uint64_t *addr, uint64_t *key);
/* This PE's own memory that a peer has named, or NULL if it is outside of the segment. */
void *ofi_card_own(unsigned segment, uint64_t offset, uint64_t bytes);

/* ---- peer.c ---- */
/* False: the peer is lost. */
bool ofi_peer_reach(int pe, fi_addr_t *addr);
void ofi_peer_lost(int pe, const char *why);
static inline bool ofi_peer_is_lost(int pe)
{
    return tern_load_relaxed(&ofi.peers[pe].lost);
}
static inline void ofi_peer_contacted(int pe)
{
    if (tern_unlikely(!tern_load_relaxed(&ofi.peers[pe].contacted)))
        tern_store_relaxed(&ofi.peers[pe].contacted, 1);
}
/*
 * Probes a peer, so that the provider reports its loss: a provider may try for ever to connect, or
 * wait for ever for an answer. since: the start of the caller's wait. The caller holds no lock.
 */
void ofi_peer_suspect(int pe, uint64_t since);

/* ---- op.c: pools ---- */
/*
 * With the channel's lock held. NULL if the channel has as many as it may have; one will be
 * released. A lack of memory ends the process instead.
 */
struct ofi_op *ofi_op_take(struct tern_net_channel *channel, ofi_done *done, int pe);
/* The same without a limit, so never NULL: for callers that cannot wait. */
struct ofi_op *ofi_op_take_more(struct tern_net_channel *channel, ofi_done *done, int pe);
/* Gives op a buffer; false if the channel has as many as it may have. */
bool ofi_op_buffer(struct ofi_op *op);
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

/* ---- progress.c ---- */
/* Reads the channel's completions, with its lock held. True if there were any. */
bool ofi_progress_locked(struct tern_net_channel *channel);
bool ofi_progress(struct tern_net_channel *channel);
bool ofi_progress_all(void); /* struct tern_net_ops' progress */

/* A wait for something on that channel; the lock is not held. */
struct ofi_wait {
    uint32_t steps;
    int pe;        /* the peer that the wait is for, or -1 */
    int suspected; /* the peer that was probed last */
    uint64_t since, idle_since, asked;
};
void ofi_wait_step(struct tern_net_channel *channel, struct ofi_wait *wait);
/* The same with the channel's lock held, which is released meanwhile. */
void ofi_wait_unlocked(struct tern_net_channel *channel, struct ofi_wait *wait);
/* Until nothing of the group is left. */
void ofi_wait_group(struct tern_net_channel *channel, struct ofi_group *group, int pe);
/* Whether the provider permits a sleep on the channel's fd now; with the lock held. */
bool ofi_progress_may_sleep(struct tern_net_channel *channel);

/* ---- message.c: frames ---- */
int ofi_message_start(void);
void ofi_message_stop(void);
/* Those up to ofi_message_under_way() need the default channel's lock, and do not wait. */
/* Makes op a frame with that body, all of it or its beginning. */
void ofi_message_fill(struct ofi_op *op, unsigned kind, const void *body, size_t bytes);
void ofi_message_append(struct ofi_op *op, const void *data, size_t bytes); /* to its body */
struct ofi_frame *ofi_message_head(struct ofi_op *op);
void ofi_message_post(struct ofi_op *op); /* now, or as soon as the provider accepts it */
bool ofi_message_flush(void);             /* tries queued frames again; true if one was sent */
int ofi_message_stuck(uint64_t *since);   /* a peer that frames did not reach since then, or -1 */
void ofi_message_take(struct ofi_op *op, const void *frame, size_t bytes, uint64_t flags);
uint32_t ofi_message_under_way(void);
/* An op for a frame with so many bytes of body. Waits; the lock is released meanwhile. */
struct ofi_op *ofi_message_room(int pe, size_t bytes);
/* The caller holds no lock. */
void ofi_message_send(int pe, const void *message, size_t bytes);

/* ---- service.c: requests of peers ---- */
void ofi_service_take(const struct ofi_frame *head, const void *body, size_t bytes);
void ofi_service_answer(void); /* sends the acknowledgements that are due */

/* ---- request.c: requests of this PE ---- */
struct ofi_request {
    struct ofi_request *next;
    struct tern_net_channel *channel; /* NULL: free */
    void *fetch;                      /* where the old value goes, or NULL */
    struct ofi_group *group;          /* of the caller that waits, or NULL */
    int pe;
    uint16_t uses; /* how often the entry was used, which tells late answers apart */
    uint8_t width, epoch;
};

int ofi_request_start(void);
void ofi_request_stop(void);
/*
 * Counts an operation as pending on the channel, in the epoch that it returns; with the default
 * channel's lock, which those below need.
 */
uint8_t ofi_request_begin(struct tern_net_channel *channel);
/* Waits for a free request; the lock is released meanwhile. */
struct ofi_request *ofi_request_make(struct tern_net_channel *channel, uint8_t epoch, int pe);
uint16_t ofi_request_name(const struct ofi_request *request); /* the answer contains it */
void ofi_request_finish(struct ofi_request *request, uint64_t value);
void ofi_request_value(int pe, const void *body, size_t bytes);
void ofi_request_done(int pe, const void *body, size_t bytes);
void ofi_request_sweep(void);      /* ends those to lost peers */
int ofi_request_next_peer(int pe); /* as ofi_op_next_peer() */

/* ---- amo.c ---- */
void ofi_amo(struct tern_net_channel *channel, enum tern_net_op op, unsigned width, uint64_t dest,
             uint64_t operand, uint64_t compare, uint64_t *fetch, int pe);
void ofi_amo_nbi(struct tern_net_channel *channel, enum tern_net_op op, unsigned width,
                 uint64_t dest, uint64_t operand, uint64_t compare, void *fetch, int pe);
void ofi_amo_group(struct tern_net_channel *channel, enum tern_net_op op, unsigned width,
                   uint64_t dest, uint64_t operand, uint64_t compare, void *fetch,
                   struct ofi_group *group, int pe);

/* ---- scatter.c ---- */
void ofi_scatter(struct tern_net_channel *channel, uint64_t dest, size_t dst, const void *source,
                 size_t bytes, size_t n, int pe);

/* ---- signal.c ---- */
void ofi_signal_put(struct tern_net_channel *channel, uint64_t dest, const void *source,
                    size_t bytes, uint64_t sig_addr, uint64_t signal, enum tern_net_op op, bool nbi,
                    int pe);

/* ---- channel.c ---- */
struct tern_net_channel *ofi_channel_open(void);
void ofi_channel_close(struct tern_net_channel *channel);

/* ---- rma.c ---- */
void ofi_rma_put(struct tern_net_channel *channel, uint64_t dest, const void *source, size_t bytes,
                 int pe);
void ofi_rma_put_nbi(struct tern_net_channel *channel, uint64_t dest, const void *source,
                     size_t bytes, int pe);
void ofi_rma_get(struct tern_net_channel *channel, void *dest, uint64_t source, size_t bytes,
                 int pe);
void ofi_rma_get_nbi(struct tern_net_channel *channel, void *dest, uint64_t source, size_t bytes,
                     int pe);
/* A put of a group; channel is not NULL, and the caller does not hold its lock. */
void ofi_rma_put_group(struct tern_net_channel *channel, uint64_t dest, const void *source,
                       size_t bytes, struct ofi_group *group, int pe);
void ofi_rma_get_group(struct tern_net_channel *channel, void *dest, uint64_t source, size_t bytes,
                       struct ofi_group *group, int pe);
void ofi_rma_count_down(struct ofi_group *group);
/* Reads a few bytes, so that the provider reports the loss of the peer. */
void ofi_rma_probe(int pe);

/* ---- order.c ---- */
void ofi_order_fence(struct tern_net_channel *channel);
void ofi_order_quiet(struct tern_net_channel *channel);
bool ofi_order_is_quiet(struct tern_net_channel *channel);
void ofi_order_count(struct tern_net_channel *channel, struct tern_net_counts *counts);
/* With the lock held, before the kind of operation is started: what a fence has left to do. */
void ofi_order_before_put(struct tern_net_channel *channel);
void ofi_order_before_request(struct tern_net_channel *channel);

/* ---- progress_thread.c: progress while the PE computes ---- */
int ofi_progress_thread_start(void);
void ofi_progress_thread_stop(void);
/* The PE polls the network itself, and will continue. Returns the number of its polls. */
uint32_t ofi_progress_thread_polled(void);
/* The PE stops polling. */
void ofi_progress_thread_take_over(void);
/* A channel was opened or closed. */
void ofi_progress_thread_channels_changed(void);

static inline struct tern_net_channel *ofi_channel(struct tern_net_channel *channel)
{
    return channel ? channel : OFI_DEFAULT;
}

#endif

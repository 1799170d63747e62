/* SPDX-License-Identifier: BSD-3-Clause */
/* The libfabric engine's own objects, and what its files offer each other. */
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

/* The interface of libfabric that the engine is written for; newer libraries keep serving it. */
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

/* Operations that somebody waits for together, or something that follows when all are done. */
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
 * Something that the provider works on. `context` comes first: the provider's own use of it, and
 * what it hands back.
 */
struct ofi_op {
    struct fi_context2 context;
    ofi_done *done;
    struct tern_net_channel *channel;
    struct ofi_op *next;       /* in the free list or a queue */
    struct ofi_buffer *buffer; /* or NULL */
    void *desc;                /* of `small`, for the provider */
    struct ofi_group *group;   /* or NULL */
    void *dest;                /* where a get's buffer is copied to, or NULL */
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

/* A block of ops or buffers, registered as one where the provider wants that. */
struct ofi_slab {
    struct ofi_slab *next;
    struct fid_mr *mr;
    struct ofi_op *ops; /* NULL in a slab of buffers */
    uint32_t n;
};

/* What is under way on a channel: `puts` and `gets` belong to its lock, `requests` is atomic. */
struct ofi_pending {
    uint32_t puts, gets, requests;
};

struct tern_net_channel {
    TERN_ALIGNED(TERN_LINE) pthread_mutex_t lock;
    int index; /* in the engine's table; -1 while the place is free */
    struct fid_ep *ep;
    struct fid_cq *cq;
    int fd; /* to sleep on, or -1 */
    struct ofi_op *free_ops;
    struct ofi_buffer *free_buffers;
    struct ofi_slab *slabs;
    uint32_t n_ops, n_buffers;
    /* quiet begins an epoch and waits for the one before: others may go on meanwhile. */
    uint32_t epoch;
    struct ofi_pending pending[2];
    uint64_t writes, reads; /* that were ever started */
    bool fenced_puts;       /* a fence stands behind puts that are pending */
    bool fenced_requests;   /* likewise requests */
    uint32_t starts;        /* of puts and gets */
    uint32_t swept;         /* losses of peers that this channel has taken account of */
};

/* What the engine keeps of a peer; everything else is in its card. */
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
    uint64_t served; /* what peers have asked for */
    char description[160];
    char obstacle[200]; /* why the provider that was tried last can't be opened; or empty */
    int n_channels;     /* places of the table that have ever been used */
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
/* Empty for one that is none, or NULL. */
void ofi_address_text(const struct sockaddr *address, char *text, size_t bytes);
bool ofi_address_is_loopback(const char *address);
/* Whether that address belongs to the interface of that name. */
bool ofi_address_is_of(const char *interface, const char *address);
bool ofi_address_has_port(const struct sockaddr *address);

/* ---- variables.c: libfabric's own settings, unless the user has set them ---- */
/* Before the first call of libfabric, and after it. */
void ofi_variables_lend(int n_pes);
void ofi_variables_take_back(void);

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

/* ---- card.c: what peers have to know ---- */
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
 * Has the provider notice that a peer is gone: a provider may try for ever to connect to it, or
 * keep silent while an answer is missing. For those who have waited since then; no lock is held.
 */
void ofi_peer_suspect(int pe, uint64_t since);

/* ---- op.c: pools ---- */
/*
 * With the channel's lock held; NULL when the channel has as many as it may have: one will come
 * back. Want of memory is another thing, for which nobody can wait: it ends the process.
 */
struct ofi_op *ofi_op_take(struct tern_net_channel *channel, ofi_done *done, int pe);
/* Likewise, but without a limit, so never NULL: for those who cannot wait. */
struct ofi_op *ofi_op_take_more(struct tern_net_channel *channel, ofi_done *done, int pe);
/* False when the channel has as many as it may have. */
bool ofi_op_buffer(struct ofi_op *op);
void ofi_op_release(struct ofi_op *op);
/* The provider is done with it, or has never had it. */
void ofi_op_finish(struct ofi_op *op, int error);
void ofi_op_free_all(struct tern_net_channel *channel);
/* A peer for which something is under way, after `pe` in a round through all of them; or -1. */
int ofi_op_next_peer(struct tern_net_channel *channel, int pe);
/* Pending operations to lost peers count as done. */
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
bool ofi_progress_all(void); /* the table's slot */

/* A wait for something on that channel; the lock is not held. */
struct ofi_wait {
    uint32_t steps;
    int pe;        /* for whom, or -1 */
    int suspected; /* the peer that was probed last */
    uint64_t since, idle_since, asked;
};
void ofi_wait_step(struct tern_net_channel *channel, struct ofi_wait *wait);
/* The same with the channel's lock held, which is let go meanwhile. */
void ofi_wait_unlocked(struct tern_net_channel *channel, struct ofi_wait *wait);
/* Until nothing of the group is left. */
void ofi_wait_group(struct tern_net_channel *channel, struct ofi_group *group, int pe);
/* Whether the provider allows to sleep on the channel's fd now; with the lock held. */
bool ofi_progress_may_sleep(struct tern_net_channel *channel);

/* ---- message.c: frames ---- */
int ofi_message_start(void);
void ofi_message_stop(void);
/* With the default channel's lock held, all of them; none waits. */
/* Makes op a frame with that body, all of it or its beginning. */
void ofi_message_fill(struct ofi_op *op, unsigned kind, const void *body, size_t bytes);
void ofi_message_append(struct ofi_op *op, const void *data, size_t bytes); /* to its body */
struct ofi_frame *ofi_message_head(struct ofi_op *op);
void ofi_message_post(struct ofi_op *op); /* now, or as soon as the provider takes it */
bool ofi_message_flush(void);             /* tries again; true if something went out */
int ofi_message_stuck(uint64_t *since);   /* who has refused frames since then, or -1 */
void ofi_message_take(struct ofi_op *op, const void *frame, size_t bytes, uint64_t flags);
uint32_t ofi_message_under_way(void);
/* An op for a frame with so many bytes of body. Waits; the lock is let go meanwhile. */
struct ofi_op *ofi_message_room(int pe, size_t bytes);
/* Not with any lock held. */
void ofi_message_send(int pe, const void *message, size_t bytes);

/* ---- service.c: what peers ask for ---- */
void ofi_service_take(const struct ofi_frame *head, const void *body, size_t bytes);
void ofi_service_answer(void); /* sends acknowledgements that were gathered */

/* ---- request.c: what this PE asks for ---- */
struct ofi_request {
    struct ofi_request *next;
    struct tern_net_channel *channel; /* NULL: free */
    void *fetch;                      /* where the old value goes, or NULL */
    struct ofi_group *group;          /* of the caller that waits, or NULL */
    int pe;
    uint16_t uses; /* how often the place was used: late answers do not fit */
    uint8_t width, epoch;
};

int ofi_request_start(void);
void ofi_request_stop(void);
/*
 * Counts an operation as pending on the channel, in the epoch that it returns; with the default
 * channel's lock, which those below need.
 */
uint8_t ofi_request_begin(struct tern_net_channel *channel);
/* Waits for a free one; the lock is let go meanwhile. */
struct ofi_request *ofi_request_make(struct tern_net_channel *channel, uint8_t epoch, int pe);
uint16_t ofi_request_name(const struct ofi_request *request); /* that the answer will bear */
void ofi_request_finish(struct ofi_request *request, uint64_t value);
void ofi_request_value(int pe, const void *body, size_t bytes);
void ofi_request_done(int pe, const void *body, size_t bytes);
void ofi_request_sweep(void);      /* those to lost peers end */
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
/* A put that belongs to a group; the channel is given, its lock is not held. */
void ofi_rma_put_group(struct tern_net_channel *channel, uint64_t dest, const void *source,
                       size_t bytes, struct ofi_group *group, int pe);
void ofi_rma_get_group(struct tern_net_channel *channel, void *dest, uint64_t source, size_t bytes,
                       struct ofi_group *group, int pe);
void ofi_rma_count_down(struct ofi_group *group);
/* A read whose only purpose is that the provider notices that a peer is gone. */
void ofi_rma_probe(int pe);

/* ---- order.c ---- */
void ofi_order_fence(struct tern_net_channel *channel);
void ofi_order_quiet(struct tern_net_channel *channel);
bool ofi_order_is_quiet(struct tern_net_channel *channel);
void ofi_order_count(struct tern_net_channel *channel, struct tern_net_counts *counts);
/* With the lock held, before the kind of operation is started: what a fence has left to do. */
void ofi_order_before_put(struct tern_net_channel *channel);
void ofi_order_before_request(struct tern_net_channel *channel);

/* ---- thread.c: progress while the PE computes ---- */
int ofi_thread_start(void);
void ofi_thread_stop(void);
/* The PE looks after the network itself, and will go on. Returns how often it has looked. */
uint32_t ofi_thread_polled(void);
/* It will not go on. */
void ofi_thread_take_over(void);
/* It has one more to look after, or fewer. */
void ofi_thread_channels_changed(void);

static inline struct tern_net_channel *ofi_channel(struct tern_net_channel *channel)
{
    return channel ? channel : OFI_DEFAULT;
}

#endif

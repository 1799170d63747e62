/* SPDX-License-Identifier: BSD-3-Clause */
/* Channels, and order between gathered operations and those that the engine has. */
#ifndef TERN_NET_GATHER_ORDER_H
#define TERN_NET_GATHER_ORDER_H

#include "net/gather/stream.h"

/* A context's channel: the engine's, and what a fence has to know. */
struct tern_order_channel {
    struct tern_net_channel *engine;
    /*
     * Counts, and up to which of them all is complete. A thread that waits counts first, because
     * others may start operations meanwhile.
     */
    uint32_t passed, passed_done; /* operations that the engine got */
    uint32_t fences;
    uint32_t fences_of_passed; /* what was passed before so many fences is complete */
    uint32_t fences_of_frames; /* likewise what was gathered */
    bool session;
    size_t session_left;    /* operations; SIZE_MAX: unknown */
    uint64_t writes, reads; /* that were gathered */
    uint64_t writes_done, reads_done;
};

extern TERN_PE_LOCAL struct tern_order_channel tern_order_default_channel;

TERN_INLINE struct tern_order_channel *tern_order_channel(struct tern_net_channel *channel)
{
    return channel ? (struct tern_order_channel *)channel : &tern_order_default_channel;
}

void tern_order_complete_passed(struct tern_order_channel *channel) TERN_COLD;

/* What a fence requires before an operation is gathered. */
TERN_INLINE void tern_order_before_gather(struct tern_order_channel *channel)
{
    if (tern_unlikely(tern_load_relaxed(&channel->fences) !=
                      tern_load_relaxed(&channel->fences_of_passed)))
        tern_order_complete_passed(channel);
}

/* The same before the engine gets an operation on that PE. */
void tern_order_before_pass(struct tern_order_channel *channel, int pe);

/* Call when the engine has started the operation. */
TERN_INLINE void tern_order_passed(struct tern_order_channel *channel)
{
    tern_fetch_add(&channel->passed, 1); /* partner: the acquire of a quiet */
}

void tern_order_fence(struct tern_net_channel *channel);
void tern_order_quiet(struct tern_net_channel *channel);
bool tern_order_is_quiet(struct tern_net_channel *channel);
void tern_order_count(struct tern_net_channel *channel, struct tern_net_counts *counts);
void tern_order_session(struct tern_net_channel *channel, bool on, size_t operations);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Fence, quiet, and counts of completed operations.
 *
 * Gathered operations on a PE stay in their order. So do those that the engine gets, but the two
 * kinds are not ordered with each other. A fence is only counted; the first operation of the other
 * kind after it waits. While one thread waits, others that share the context may pass operations
 * and fences of their own, which its wait does not cover.
 */
#include "net/gather/order.h"

#include "net/gather/carry_out.h"

TERN_PE_LOCAL struct tern_order_channel tern_order_default_channel;

void tern_order_complete_passed(struct tern_order_channel *channel)
{
    uint32_t fences = tern_load_acquire(&channel->fences); /* partner: tern_order_fence() */
    uint32_t passed = tern_load_acquire(&channel->passed); /* partner: tern_order_passed() */

    if (passed != tern_load_relaxed(&channel->passed_done))
        tern_streams.engine->quiet(channel->engine);
    tern_store_relaxed(&channel->passed_done, passed);
    tern_store_relaxed(&channel->fences_of_passed, fences);
}

void tern_order_before_pass(struct tern_order_channel *channel, int pe)
{
    struct tern_stream *stream = tern_stream_of(pe);

    if (tern_unlikely(tern_load_relaxed(&channel->fences) !=
                      tern_load_relaxed(&channel->fences_of_frames)) &&
        stream)
        tern_stream_complete(stream);
}

void tern_order_fence(struct tern_net_channel *handle)
{
    struct tern_order_channel *channel = tern_order_channel(handle);

    tern_streams.engine->fence(channel->engine);
    tern_fetch_add(&channel->fences, 1); /* partner: the acquire of a quiet */
}

void tern_order_quiet(struct tern_net_channel *handle)
{
    struct tern_order_channel *channel = tern_order_channel(handle);
    uint64_t writes = tern_load_relaxed(&channel->writes),
             reads = tern_load_relaxed(&channel->reads);
    uint32_t fences = tern_load_acquire(&channel->fences); /* partner: tern_order_fence() */
    uint32_t passed = tern_load_acquire(&channel->passed); /* partner: tern_order_passed() */

    tern_stream_flush_all();
    tern_streams.engine->quiet(channel->engine);
    tern_stream_complete_all();
    tern_store_relaxed(&channel->passed_done, passed);
    tern_store_relaxed(&channel->fences_of_passed, fences);
    tern_store_relaxed(&channel->fences_of_frames, fences);
    tern_store_relaxed(&channel->writes_done, writes);
    tern_store_relaxed(&channel->reads_done, reads);
}

bool tern_order_is_quiet(struct tern_net_channel *handle)
{
    tern_stream_flush_all();
    return tern_stream_all_done() &&
           tern_streams.engine->is_quiet(tern_order_channel(handle)->engine);
}

/* Gathered operations are done when no frame is under way, or since the last quiet. */
void tern_order_count(struct tern_net_channel *handle, struct tern_net_counts *counts)
{
    struct tern_order_channel *channel = tern_order_channel(handle);
    uint64_t writes = tern_load_relaxed(&channel->writes),
             reads = tern_load_relaxed(&channel->reads);
    bool all = tern_stream_all_done();

    tern_streams.engine->count(channel->engine, counts);
    counts->writes += writes;
    counts->reads += reads;
    counts->writes_done += all ? writes : tern_load_relaxed(&channel->writes_done);
    counts->reads_done += all ? reads : tern_load_relaxed(&channel->reads_done);
    counts->served += tern_carry_out_count();
}

void tern_order_session(struct tern_net_channel *handle, bool on, size_t operations)
{
    struct tern_order_channel *channel = tern_order_channel(handle);

    channel->session_left = operations;
    if (channel->session == on)
        return;
    channel->session = on;
    __atomic_fetch_add(&tern_streams.sessions, on ? 1 : -1, __ATOMIC_RELAXED);
    if (!on)
        tern_stream_flush_all();
}

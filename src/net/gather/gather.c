/* SPDX-License-Identifier: BSD-3-Clause */
/* Puts the table of operations in front of an engine's, and the engine's calls behind it. */
#include "net/gather/gather.h"

#include <stdlib.h>

#include "net/gather/answer.h"
#include "net/gather/carry_out.h"
#include "net/gather/ops.h"
#include "net/gather/stream.h"

static TERN_PE_LOCAL struct tern_net_host engine_host;
static TERN_PE_LOCAL struct tern_net_ops ops;

static bool progress(void)
{
    tern_stream_flush_all();
    if (tern_unlikely(tern_load_relaxed(&tern_streams.losses) != tern_streams.swept))
        tern_answer_sweep();
    return tern_streams.engine->progress();
}

static void close(void)
{
    tern_stream_flush_all();
    tern_streams.engine->close();
}

/* The engine has noted the loss before it calls. */
static void lost(int pe, const char *why)
{
    tern_streams.host->lost(pe, why);
    __atomic_fetch_add(&tern_streams.losses, 1,
                       __ATOMIC_RELEASE); /* partner: tern_answer_sweep() */
}

const struct tern_net_host *tern_gather_host(const struct tern_net_host *host,
                                             const struct tern_gather_job *job)
{
    tern_streams.host = host;
    tern_streams.job = job;
    tern_carry_out_start(host, job);
    engine_host = *host;
    engine_host.carry_out = tern_carry_out;
    engine_host.answered = tern_answer_take;
    engine_host.attend = tern_stream_attend;
    engine_host.lost = lost;
    return &engine_host;
}

void tern_gather_share(void)
{
    tern_turn_share();
}

/* Whether entries have room for the distances of all objects. */
static bool fits(const struct tern_net_host *host, const struct tern_gather_job *job)
{
    unsigned bits = tern_entry_distance_bits(job->nodes, job->n_nodes);

    for (int i = 0; i < TERN_NET_SEGMENTS; i++)
        if (host->segments[i].bytes >> bits)
            return false;
    return true;
}

const struct tern_net_ops *tern_gather_start(const struct tern_net_ops *engine)
{
    if (!fits(tern_streams.host, tern_streams.job)) {
        tern_streams.host->debug("the symmetric heap is too large to gather small operations");
        return engine;
    }
    tern_turn_start();
    tern_stream_start(engine);
    ops = *engine;
    tern_ops_fill(&ops);
    ops.progress = progress;
    ops.close = close;
    return &ops;
}

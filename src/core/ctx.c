/* SPDX-License-Identifier: BSD-3-Clause */
/* Creates, finds and destroys contexts. */
#include "core/ctx.h"

#include <errno.h>
#include <stdlib.h>

#include "base/log.h"
#include "core/order.h"
#include "core/require.h"

TERN_PE_LOCAL struct tern_ctx tern_ctx_default = {.handle = TERN_CTX_DEFAULT};
TERN_PE_LOCAL struct tern_handles tern_ctx_handles = TERN_HANDLES_INIT;

struct tern_ctx *tern_ctx_get(uintptr_t handle, const char *routine)
{
    struct tern_ctx *ctx = tern_ctx_find(handle);

    tern_require_job(routine);
    if (!ctx)
        tern_fatal(routine, handle == TERN_CTX_INVALID
                                ? "ctx is SHMEM_CTX_INVALID: was it created?"
                                : "ctx is not a context: it was destroyed, or never created");
    return ctx;
}

/*
 * Channels of destroyed contexts are kept for new ones: a network takes longer to open a channel
 * than to carry thousands of puts, and programs create contexts in loops.
 */
#define MOST_SPARE 16

static TERN_PE_LOCAL struct {
    pthread_mutex_t lock;
    struct tern_net_channel *channels[MOST_SPARE];
    int n;
} spare = {.lock = PTHREAD_MUTEX_INITIALIZER};

static struct tern_net_channel *open_channel(void)
{
    struct tern_net_channel *channel = NULL;

    if (tern_net == &tern_net_none)
        return NULL;
    pthread_mutex_lock(&spare.lock);
    if (spare.n)
        channel = spare.channels[--spare.n];
    pthread_mutex_unlock(&spare.lock);
    return channel ? channel : tern_net->channel_open();
}

static void close_channel(struct tern_net_channel *channel)
{
    bool kept;

    pthread_mutex_lock(&spare.lock);
    kept = spare.n < MOST_SPARE;
    if (kept)
        spare.channels[spare.n++] = channel;
    pthread_mutex_unlock(&spare.lock);
    if (!kept)
        tern_net->channel_close(channel);
}

void tern_ctx_session_start(struct tern_ctx *ctx, bool batch, const size_t *operations)
{
    bool begins = batch && !ctx->session.batch;

    if (!ctx->session.runs)
        ctx->session.operations = SIZE_MAX;
    ctx->session.runs = true;
    ctx->session.batch |= batch;
    if (operations)
        ctx->session.operations = *operations;
    if (begins || (ctx->session.batch && operations))
        tern_net->session(ctx->channel, true, ctx->session.operations);
}

void tern_ctx_session_stop(struct tern_ctx *ctx)
{
    if (ctx->session.batch)
        tern_net->session(ctx->channel, false, 0);
    ctx->session.runs = ctx->session.batch = false;
}

static void forget(struct tern_ctx *ctx)
{
    if (ctx->channel)
        close_channel(ctx->channel);
    free(ctx);
}

static TERN_NOINLINE int create_anew(struct tern_team *team, long options, uintptr_t *handle)
{
    struct tern_ctx *ctx = malloc(sizeof *ctx); /* calloc() takes four times as long */

    if (!ctx)
        return -ENOMEM;
    *ctx = (struct tern_ctx){
        .team = team,
        .options = options,
        .creator = pthread_self(),
        .channel = open_channel(),
    };
    ctx->handle = tern_handle_add(&tern_ctx_handles, ctx);
    if (!ctx->handle) {
        forget(ctx);
        return -ENOMEM;
    }
    *handle = ctx->handle;
    return 0;
}

static bool threads_share_contexts(void)
{
    return tern_job.thread_level == TERN_THREAD_MULTIPLE;
}

/*
 * A destroyed context without a channel is kept with its place among the handles. Programs create
 * contexts in loops: an allocation and two locks of the table take most of the time otherwise.
 */
int tern_ctx_create(struct tern_team *team, long options, uintptr_t *handle)
{
    struct tern_ctx *ctx = tern_handle_reuse(&tern_ctx_handles, handle, threads_share_contexts());

    if (tern_unlikely(!ctx))
        return create_anew(team, options, handle);
    ctx->handle = *handle;
    tern_store_relaxed(&ctx->team, team); /* destroy_if_of_team() may run in another thread */
    ctx->options = options;
    if (options)
        ctx->creator = pthread_self();
    tern_handle_publish(&tern_ctx_handles, *handle);
    return 0;
}

static TERN_COLD void remove_kept(uintptr_t handle)
{
    struct tern_ctx *ctx = tern_handle_entry(&tern_ctx_handles, handle)->object;

    tern_handle_remove(&tern_ctx_handles, handle);
    forget(ctx);
}

static void keep(struct tern_ctx *ctx)
{
    uintptr_t before = tern_handle_keep(&tern_ctx_handles, ctx->handle, threads_share_contexts());

    if (tern_unlikely(before))
        remove_kept(before);
}

void tern_ctx_destroy(struct tern_ctx *ctx)
{
    tern_ctx_session_stop(ctx);
    tern_order_quiet_channel(ctx->channel);
    if (tern_likely(tern_net == &tern_net_none)) {
        keep(ctx);
        return;
    }
    tern_handle_remove(&tern_ctx_handles, ctx->handle);
    forget(ctx);
}

static void destroy_if_of_team(void *object, void *team)
{
    struct tern_ctx *ctx = object;

    if (!team || tern_load_relaxed(&ctx->team) == team)
        tern_ctx_destroy(ctx);
}

void tern_ctx_destroy_of_team(struct tern_team *team)
{
    tern_handle_each(&tern_ctx_handles, destroy_if_of_team, team);
    if (!team)
        tern_ctx_session_stop(&tern_ctx_default);
}

static void quiet(void *object, void *unused)
{
    const struct tern_ctx *ctx = object;

    if (ctx->channel)
        tern_net->quiet(ctx->channel);
}

void tern_ctx_quiet_all(void)
{
    if (tern_net != &tern_net_none)
        tern_handle_each(&tern_ctx_handles, quiet, NULL);
    tern_order_quiet();
}

int tern_ctx_translate_pe(uintptr_t handle, int pe, const char *routine)
{
    const struct tern_ctx *ctx = tern_handle_find(&tern_ctx_handles, handle);

    if (tern_unlikely(!ctx))
        ctx = tern_ctx_get(handle, routine);
    if (tern_unlikely((unsigned)pe >= (unsigned)ctx->team->pes.size))
        tern_require_refuse_pe(pe, ctx->team->pes.size, routine);
    return tern_pe_range_world(&ctx->team->pes, pe);
}

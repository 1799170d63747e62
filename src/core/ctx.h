/* SPDX-License-Identifier: BSD-3-Clause */
/* Communication contexts: the team that numbers their PEs, options, a channel to other nodes. */
#ifndef TERN_CORE_CTX_H
#define TERN_CORE_CTX_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/team.h"
#include "net/net.h"

/* Values of handles, as in the public header. */
#define TERN_CTX_INVALID ((uintptr_t)0)
#define TERN_CTX_DEFAULT ((uintptr_t)1)

struct tern_ctx {
    uintptr_t handle;
    struct tern_team *team;
    long options;
    pthread_t creator;
    struct tern_net_channel *channel; /* NULL: that of the default context */
    struct {
        bool runs, batch;
        size_t operations; /* SIZE_MAX: unknown */
    } session;
};

/* The default context: of the world team, without options. */
extern TERN_PE_LOCAL struct tern_ctx tern_ctx_default;

/* Handles of the contexts that the program has created. */
extern TERN_PE_LOCAL struct tern_handles tern_ctx_handles;

/* The context, or NULL if the handle is invalid or its context was destroyed. */
TERN_INLINE struct tern_ctx *tern_ctx_find(uintptr_t handle)
{
    if (handle == TERN_CTX_DEFAULT)
        return &tern_ctx_default;
    return tern_handle_find(&tern_ctx_handles, handle);
}

/* The same, but ends the program instead of returning NULL. */
struct tern_ctx *tern_ctx_get(uintptr_t handle, const char *routine);

/* A new context on the team: 0, or -ENOMEM. */
int tern_ctx_create(struct tern_team *team, long options, uintptr_t *handle);

/* Completes the operations that were started on the context, then frees it. */
void tern_ctx_destroy(struct tern_ctx *ctx);

/* Destroys the contexts of a team that is being destroyed; NULL: all contexts. */
void tern_ctx_destroy_of_team(struct tern_team *team);

/* Completes the operations that were started on any context, including the default one. */
void tern_ctx_quiet_all(void);

/*
 * Begins a session, or adds to the one that runs: batch says that the latency of operations does
 * not matter; operations, if it is not NULL, how many will follow.
 */
void tern_ctx_session_start(struct tern_ctx *ctx, bool batch, const size_t *operations);
void tern_ctx_session_stop(struct tern_ctx *ctx);

/* The channel that carries the context's operations to other nodes. */
TERN_INLINE struct tern_net_channel *tern_ctx_channel(uintptr_t handle)
{
    const struct tern_ctx *ctx = tern_ctx_find(handle);

    return ctx ? ctx->channel : NULL;
}

int tern_ctx_translate_pe(uintptr_t handle, int pe, const char *routine);

/* Translates a PE's number in the context's team to its number in the world. */
TERN_INLINE int tern_ctx_world_pe(uintptr_t handle, int pe, const char *routine)
{
    if (tern_likely(handle == TERN_CTX_DEFAULT))
        return pe;
    return tern_ctx_translate_pe(handle, pe, routine);
}

#endif

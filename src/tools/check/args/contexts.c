/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps a record of each context: its options, its users, and its number in access records. */
#include "tools/check/args/contexts.h"

#include <shmem.h>

#include "tools/check/args/handles.h"
#include "tools/check/args/library_state.h"
#include "tools/check/shared/source_location.h"

static struct tern_check_handles ctxs = {.kind = FINDING_CONTEXT, .noun = "context"};

static bool is_mine(const struct tern_check_handle *ctx)
{
    return ctx->owner == tern_check_library_state_thread();
}

static bool is_private(const struct tern_check_handle *ctx)
{
    return ctx->options & SHMEM_CTX_PRIVATE;
}

/* Whether only one thread at a time may use the context. */
static bool is_exclusive(const struct tern_check_handle *ctx)
{
    return ctx->options & (SHMEM_CTX_PRIVATE | SHMEM_CTX_SERIALIZED);
}

static void check_thread(const struct tern_call *call, const struct tern_check_handle *ctx)
{
    if (is_private(ctx) && !is_mine(ctx))
        tern_check_findings_report(
            call, FINDING_CONTEXT,
            "the context is private to the thread that created it, by %s at %s",
            ctx->made.routine->name, tern_check_source_location_text(ctx->made.site));
    else if (is_exclusive(ctx) && ctx->n_users > 0 &&
             ctx->user != tern_check_library_state_thread())
        tern_check_findings_report(
            call, FINDING_CONTEXT,
            "another thread is in a call on the context, which allows one thread at a time: "
            "SHMEM_CTX_SERIALIZED\nit was created by %s at %s",
            ctx->made.routine->name, tern_check_source_location_text(ctx->made.site));
}

/* Whether the standard allows SHMEM_CTX_INVALID. */
static bool takes_invalid(enum tern_kind kind)
{
    return kind == TERN_KIND_FENCE || kind == TERN_KIND_QUIET || kind == TERN_KIND_PE_QUIET ||
           kind == TERN_KIND_QUERY || kind == TERN_KIND_CTX_DESTROY || kind == TERN_KIND_OTHER;
}

void tern_check_contexts_before(struct tern_call *call)
{
    void *value = tern_call_pointer(call, TERN_CTX);
    bool destroys = call->routine->kind == TERN_KIND_CTX_DESTROY;
    struct tern_check_handle *ctx;

    if (value == (void *)SHMEM_CTX_INVALID && !takes_invalid(call->routine->kind))
        tern_check_findings_report(call, FINDING_CONTEXT,
                                   "ctx is SHMEM_CTX_INVALID: no context was created");
    if (value == (void *)SHMEM_CTX_DEFAULT && destroys)
        tern_check_findings_report(call, FINDING_CONTEXT, "the default context can't be destroyed");
    if (value == (void *)SHMEM_CTX_INVALID || value == (void *)SHMEM_CTX_DEFAULT)
        return;
    ctx = tern_check_handles_find(&ctxs, value);
    if (!ctx || tern_check_handles_report_ended(call, &ctxs, ctx))
        return;
    check_thread(call, ctx);
    if (destroys) {
        tern_check_handles_end(ctx, call);
    } else if (is_exclusive(ctx) && !tern_check_library_state_is_alone()) {
        ctx->n_users++;
        ctx->user = tern_check_library_state_thread();
    }
}

/* ---- after calls ---- */

static void end_use(struct tern_call *call)
{
    struct tern_check_handle *ctx =
        tern_check_handles_find(&ctxs, tern_call_pointer(call, TERN_CTX));

    if (ctx && ctx->n_users > 0)
        ctx->n_users--;
}

static void add(struct tern_call *call)
{
    bool on_team = call->routine->place[TERN_TEAM];
    void *value = *(void **)call->arg[on_team + 1].p;
    struct tern_check_handle *ctx;

    if (call->result.i != 0 || value == (void *)SHMEM_CTX_INVALID)
        return;
    ctx = tern_check_handles_add(&ctxs, value, call);
    if (!ctx)
        return;
    ctx->team = on_team ? call->arg[0].p : (void *)SHMEM_TEAM_WORLD;
    ctx->n_pes = TERN_REAL(shmem_team_n_pes)(ctx->team);
    ctx->options = (long)call->arg[on_team].i;
    ctx->owner = tern_check_library_state_thread();
}

void tern_check_contexts_after(struct tern_call *call)
{
    const struct tern_routine *routine = call->routine;

    if (routine->place[TERN_CTX] && routine->kind != TERN_KIND_CTX_DESTROY)
        end_use(call);
    if (routine->kind == TERN_KIND_CTX_CREATE)
        add(call);
}

/* ---- PEs ---- */

bool tern_check_contexts_target_is_me(struct tern_call *call)
{
    int64_t pe = tern_call_number(call, TERN_PE, -1);
    const struct tern_check_handle *ctx = NULL;

    if (call->routine->place[TERN_CTX])
        ctx = tern_check_handles_find(&ctxs, tern_call_pointer(call, TERN_CTX));
    if (!ctx || ctx->team == (void *)SHMEM_TEAM_WORLD)
        return pe == tern_check_my_pe();
    return !ctx->ended.routine && pe == TERN_REAL(shmem_team_my_pe)(ctx->team);
}

/* PEs are numbered in the context's team, or in the world if the context is not known. */
void tern_check_contexts_check_pe(struct tern_call *call)
{
    int64_t pe = tern_call_number(call, TERN_PE, 0);
    void *value = tern_call_pointer(call, TERN_CTX);
    const struct tern_check_handle *ctx =
        value && value != (void *)SHMEM_CTX_DEFAULT ? tern_check_handles_find(&ctxs, value) : NULL;
    int n = ctx ? ctx->n_pes : tern_check_n_pes();

    if (pe < 0 || pe >= n)
        tern_check_findings_report(call, FINDING_NO_SUCH_PE, "the PEs of the %s are 0 to %d",
                                   ctx ? "context's team" : "job", n - 1);
}

/* Contexts that are not known come from an extension, and may belong to any team. */
int tern_check_contexts_find_pe(struct tern_call *call)
{
    void *value = tern_call_pointer(call, TERN_CTX), *team = SHMEM_TEAM_WORLD;
    int pe = (int)tern_call_number(call, TERN_PE, -1);
    const struct tern_check_handle *ctx = NULL;
    shmem_team_t found;

    if (value && value != (void *)SHMEM_CTX_DEFAULT)
        ctx = tern_check_handles_find(&ctxs, value);
    if (ctx && ctx->ended.routine)
        return -1;
    if (ctx)
        team = ctx->team;
    else if (value != (void *)SHMEM_CTX_DEFAULT &&
             TERN_REAL(shmem_ctx_get_team)((shmem_ctx_t)value, &found) == 0)
        team = found;
    return team == (void *)SHMEM_TEAM_WORLD
               ? pe
               : TERN_REAL(shmem_team_translate_pe)((shmem_team_t)team, pe, SHMEM_TEAM_WORLD);
}

/* ---- numbers ---- */

int tern_check_contexts_find_number(struct tern_call *call)
{
    void *value = tern_call_pointer(call, TERN_CTX);
    const struct tern_check_handle *ctx;

    if (value == (void *)SHMEM_CTX_DEFAULT)
        return CTX_DEFAULT;
    ctx = value ? tern_check_handles_find(&ctxs, value) : NULL;
    return ctx ? ctx->number : CTX_AT_ONCE;
}

static bool has_number(int number)
{
    for (size_t i = 0; i < ctxs.n; i++)
        if (ctxs.handles[i].number == number)
            return true;
    return false;
}

void tern_check_contexts_assign_number(struct tern_call *call)
{
    struct tern_check_handle *ctx = ctxs.n > 0 ? &ctxs.handles[ctxs.n - 1] : NULL;
    bool on_team = call->routine->place[TERN_TEAM];
    int number = CTX_DEFAULT + 1;

    if (call->result.i != 0 || !ctx || ctx->value != *(void **)call->arg[on_team + 1].p)
        return;
    while (number < MAX_CTXS && has_number(number))
        number++;
    if (number < MAX_CTXS)
        ctx->number = number;
}

void tern_check_contexts_release_number(struct tern_call *call)
{
    struct tern_check_handle *ctx =
        tern_check_handles_find(&ctxs, tern_call_pointer(call, TERN_CTX));

    if (ctx)
        ctx->number = CTX_AT_ONCE;
}

void tern_check_contexts_release_numbers_of(const void *team)
{
    for (size_t i = 0; i < ctxs.n; i++)
        if (ctxs.handles[i].team == team)
            ctxs.handles[i].number = CTX_AT_ONCE;
}

void tern_check_contexts_release_all_numbers(void)
{
    for (size_t i = 0; i < ctxs.n; i++)
        ctxs.handles[i].number = CTX_AT_ONCE;
}

/* ---- destruction ---- */

void tern_check_contexts_end_of_team(const struct tern_call *call, const void *team)
{
    for (size_t i = 0; i < ctxs.n; i++) {
        struct tern_check_handle *ctx = &ctxs.handles[i];

        if (ctx->ended.routine || ctx->team != team)
            continue;
        if (is_private(ctx))
            tern_check_findings_report(call, FINDING_CONTEXT,
                                       "a private context of the team has to be destroyed before "
                                       "the team\nit was created by %s at %s",
                                       ctx->made.routine->name,
                                       tern_check_source_location_text(ctx->made.site));
        tern_check_handles_end(ctx, call);
    }
}

/* The library destroys shareable contexts itself. */
static void report_private(void)
{
    for (size_t i = 0; i < ctxs.n; i++) {
        struct tern_check_handle *ctx = &ctxs.handles[i];

        if (ctx->ended.routine || !is_private(ctx))
            continue;
        ctx->ended = ctx->made;
        tern_check_findings_report(NULL, FINDING_CONTEXT,
                                   "a private context has to be destroyed before "
                                   "shmem_finalize\nit was created by %s at %s",
                                   ctx->made.routine->name,
                                   tern_check_source_location_text(ctx->made.site));
    }
}

void tern_check_contexts_end(void)
{
    report_private();
    tern_check_handles_close(&ctxs);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps a record of each context and team, also after its end until its handle is used again. */
#include "tools/check/handles.h"

#include <shmem.h>
#include <stdlib.h>
#include <string.h>

#include "tools/check/place.h"
#include "tools/check/report.h"
#include "tools/check/rule.h"
#include "tools/check/setup.h"
#include "tools/check/who.h"

/* A call that made a thing, or ended it; the routine is NULL if there was none. */
struct event {
    const struct tern_routine *routine;
    const void *site;
};

struct handle {
    void *value;
    struct event made, ended;
    /* of contexts */
    void *team;
    int n_pes; /* of the team */
    long options;
    const void *owner; /* a thread */
    int n_users;       /* threads that are in calls on it */
    const void *user;
};

/* In the order of making: the last ones are those that are used most. */
struct table {
    enum tern_check_class class;
    const char *noun;
    struct handle *handles;
    size_t n, room;
};

/* Beyond so many, what ended is forgotten. */
#define MOST_HANDLES 1000

static struct table ctxs = {.class = TERN_CHECK_CTX, .noun = "context"};
static struct table teams = {.class = TERN_CHECK_TEAM, .noun = "team"};

/* ---- records ---- */

static struct handle *find(const struct table *table, const void *value)
{
    for (size_t i = table->n; i-- > 0;)
        if (table->handles[i].value == value)
            return &table->handles[i];
    return NULL;
}

static struct handle *find_oldest_ended(const struct table *table)
{
    for (size_t i = 0; i < table->n; i++)
        if (table->handles[i].ended.routine)
            return &table->handles[i];
    return NULL;
}

static void forget(struct table *table, struct handle *handle)
{
    size_t behind = (size_t)(table->handles + table->n - handle) - 1;

    memmove(handle, handle + 1, behind * sizeof *handle);
    table->n--;
}

static bool grow(struct table *table)
{
    size_t more = table->room ? 2 * table->room : 64;
    struct handle *moved;

    if (table->n < table->room)
        return true;
    moved = reallocarray(table->handles, more, sizeof *moved);
    if (!moved)
        return false;
    table->handles = moved;
    table->room = more;
    return true;
}

static struct handle *add(struct table *table, void *value, const struct tern_call *call)
{
    struct handle *handle = find(table, value);

    if (!handle && table->n >= MOST_HANDLES)
        handle = find_oldest_ended(table);
    if (handle)
        forget(table, handle);
    if (!grow(table))
        return NULL;
    handle = &table->handles[table->n++];
    *handle = (struct handle){
        .value = value,
        .made = {.routine = call->routine, .site = tern_check_site(call)},
    };
    return handle;
}

static void end(struct handle *handle, const struct tern_call *call)
{
    handle->ended = (struct event){.routine = call->routine, .site = tern_check_site(call)};
}

/* Whether the handle is over, which is reported. */
static bool report_ended(const struct tern_call *call, const struct table *table,
                         const struct handle *handle)
{
    if (!handle || !handle->ended.routine)
        return false;
    tern_check_report(call, table->class,
                      "the %s was destroyed before, by %s at %s\n"
                      "and had been made by %s at %s",
                      table->noun, handle->ended.routine->name,
                      tern_check_place(handle->ended.site), handle->made.routine->name,
                      tern_check_place(handle->made.site));
    return true;
}

/* ---- contexts ---- */

static bool is_mine(const struct handle *ctx)
{
    return ctx->owner == tern_check_thread();
}

static bool is_private(const struct handle *ctx)
{
    return ctx->options & SHMEM_CTX_PRIVATE;
}

/* Only one thread at a time may use it. */
static bool is_exclusive(const struct handle *ctx)
{
    return ctx->options & (SHMEM_CTX_PRIVATE | SHMEM_CTX_SERIALIZED);
}

static void check_thread(const struct tern_call *call, const struct handle *ctx)
{
    if (is_private(ctx) && !is_mine(ctx))
        tern_check_report(call, TERN_CHECK_CTX,
                          "the context is private to the thread that has made it, by %s at %s",
                          ctx->made.routine->name, tern_check_place(ctx->made.site));
    else if (is_exclusive(ctx) && ctx->n_users > 0 && ctx->user != tern_check_thread())
        tern_check_report(call, TERN_CHECK_CTX,
                          "another thread is in a call on the context, which is for one at a time: "
                          "SHMEM_CTX_SERIALIZED\nit was made by %s at %s",
                          ctx->made.routine->name, tern_check_place(ctx->made.site));
}

/* What may be called with SHMEM_CTX_INVALID. */
static bool takes_invalid(enum tern_kind kind)
{
    return kind == TERN_KIND_FENCE || kind == TERN_KIND_QUIET || kind == TERN_KIND_PE_QUIET ||
           kind == TERN_KIND_QUERY || kind == TERN_KIND_CTX_DESTROY || kind == TERN_KIND_OTHER;
}

static void ctx_before(struct tern_call *call)
{
    void *value = tern_call_pointer(call, TERN_CTX);
    bool destroys = call->routine->kind == TERN_KIND_CTX_DESTROY;
    struct handle *ctx;

    if (value == (void *)SHMEM_CTX_INVALID && !takes_invalid(call->routine->kind))
        tern_check_report(call, TERN_CHECK_CTX,
                          "ctx is SHMEM_CTX_INVALID: nothing was made, or that has failed");
    if (value == (void *)SHMEM_CTX_DEFAULT && destroys)
        tern_check_report(call, TERN_CHECK_CTX, "the default context can't be destroyed");
    if (value == (void *)SHMEM_CTX_INVALID || value == (void *)SHMEM_CTX_DEFAULT)
        return;
    ctx = find(&ctxs, value);
    if (!ctx || report_ended(call, &ctxs, ctx))
        return;
    check_thread(call, ctx);
    if (destroys) {
        end(ctx, call);
    } else if (is_exclusive(ctx) && !tern_check_is_alone()) {
        ctx->n_users++;
        ctx->user = tern_check_thread();
    }
}

static void ctx_after(struct tern_call *call)
{
    struct handle *ctx = find(&ctxs, tern_call_pointer(call, TERN_CTX));

    if (ctx && ctx->n_users > 0)
        ctx->n_users--;
}

static void ctx_made(struct tern_call *call)
{
    bool on_team = call->routine->place[TERN_TEAM];
    void *value = *(void **)call->arg[on_team + 1].p;
    struct handle *ctx;

    if (call->result.i != 0 || value == (void *)SHMEM_CTX_INVALID)
        return;
    ctx = add(&ctxs, value, call);
    if (!ctx)
        return;
    ctx->team = on_team ? call->arg[0].p : (void *)SHMEM_TEAM_WORLD;
    ctx->n_pes = TERN_REAL(shmem_team_n_pes)(ctx->team);
    ctx->options = (long)call->arg[on_team].i;
    ctx->owner = tern_check_thread();
}

bool tern_check_targets_itself(struct tern_call *call)
{
    int64_t pe = tern_call_number(call, TERN_PE, -1);
    const struct handle *ctx = NULL;

    if (call->routine->place[TERN_CTX])
        ctx = find(&ctxs, tern_call_pointer(call, TERN_CTX));
    if (!ctx || ctx->team == (void *)SHMEM_TEAM_WORLD)
        return pe == tern_check_pe();
    return !ctx->ended.routine && pe == TERN_REAL(shmem_team_my_pe)(ctx->team);
}

/* PEs are numbered in the context's team; without one that is known, in the world. */
void tern_check_target(struct tern_call *call)
{
    int64_t pe = tern_call_number(call, TERN_PE, 0);
    void *value = tern_call_pointer(call, TERN_CTX);
    const struct handle *ctx =
        value && value != (void *)SHMEM_CTX_DEFAULT ? find(&ctxs, value) : NULL;
    int n = ctx ? ctx->n_pes : tern_check_n_pes();

    if (pe < 0 || pe >= n)
        tern_check_report(call, TERN_CHECK_TARGET, "the PEs of the %s are 0 to %d",
                          ctx ? "context's team" : "job", n - 1);
}

/* ---- teams ---- */

static void end_ctxs_of(const struct tern_call *call, const void *team)
{
    for (size_t i = 0; i < ctxs.n; i++) {
        struct handle *ctx = &ctxs.handles[i];

        if (ctx->ended.routine || ctx->team != team)
            continue;
        if (is_private(ctx))
            tern_check_report(call, TERN_CHECK_CTX,
                              "a private context of the team has to be destroyed before it\n"
                              "it was made by %s at %s",
                              ctx->made.routine->name, tern_check_place(ctx->made.site));
        end(ctx, call);
    }
}

static void destroy_team(struct tern_call *call, void *value, struct handle *team)
{
    if (value == (void *)SHMEM_TEAM_WORLD || value == (void *)SHMEM_TEAM_SHARED)
        tern_check_report(call, TERN_CHECK_TEAM, "a predefined team can't be destroyed");
    if (!team)
        return;
    end_ctxs_of(call, value);
    end(team, call);
}

static void team_before(struct tern_call *call)
{
    void *value = tern_call_pointer(call, TERN_TEAM);
    enum tern_kind kind = call->routine->kind;
    struct handle *team;

    if (value == (void *)SHMEM_TEAM_INVALID) {
        if (kind == TERN_KIND_SYNC || kind == TERN_KIND_COLLECTIVE)
            tern_check_report(call, TERN_CHECK_TEAM,
                              "the team is SHMEM_TEAM_INVALID: this PE is not in it, or none was "
                              "made");
        return;
    }
    team = find(&teams, value);
    if (!report_ended(call, &teams, team) && kind == TERN_KIND_TEAM_DESTROY)
        destroy_team(call, value, team);
}

/* The teams between which PEs are translated have no role. */
static bool translates(const struct tern_routine *routine)
{
    return routine->kind == TERN_KIND_QUERY && strncmp(routine->arguments, "p src_team", 10) == 0;
}

static void teams_made(struct tern_call *call)
{
    int argument = -1;
    void *team;

    while (tern_check_rule_next_team(call, &argument, &team))
        add(&teams, team, call);
}

/* ---- all ---- */

void tern_check_handles_before(struct tern_call *call)
{
    const struct tern_routine *routine = call->routine;

    if (routine->place[TERN_CTX])
        ctx_before(call);
    if (routine->place[TERN_TEAM])
        team_before(call);
    if (translates(routine)) {
        if (!report_ended(call, &teams, find(&teams, call->arg[0].p)))
            report_ended(call, &teams, find(&teams, call->arg[2].p));
    }
}

void tern_check_handles_after(struct tern_call *call)
{
    const struct tern_routine *routine = call->routine;

    if (routine->place[TERN_CTX] && routine->kind != TERN_KIND_CTX_DESTROY)
        ctx_after(call);
    if (routine->kind == TERN_KIND_CTX_CREATE)
        ctx_made(call);
    if (routine->kind == TERN_KIND_TEAM_SPLIT)
        teams_made(call);
}

/* The first of those that were made at one place, and how many there are; takes them out. */
static void report_like(const struct table *table, const struct handle *first)
{
    const struct event made = first->made;
    size_t n = 0;

    for (size_t i = 0; i < table->n; i++)
        if (!table->handles[i].ended.routine && table->handles[i].made.site == made.site) {
            table->handles[i].ended = made;
            n++;
        }
    tern_check_report_left("%zu %s%s, made by %s at %s", n, table->noun, n > 1 ? "s" : "",
                           made.routine->name, tern_check_place(made.site));
}

static void report_left(const struct table *table)
{
    for (size_t i = 0; i < table->n; i++)
        if (!table->handles[i].ended.routine)
            report_like(table, &table->handles[i]);
}

/* The library ends what is shareable by itself. */
static void report_private(void)
{
    for (size_t i = 0; i < ctxs.n; i++) {
        struct handle *ctx = &ctxs.handles[i];

        if (ctx->ended.routine || !is_private(ctx))
            continue;
        ctx->ended = ctx->made;
        tern_check_report(NULL, TERN_CHECK_CTX,
                          "a private context has to be destroyed before shmem_finalize\n"
                          "it was made by %s at %s",
                          ctx->made.routine->name, tern_check_place(ctx->made.site));
    }
}

void tern_check_handles_end(void)
{
    report_private();
    report_left(&ctxs);
    report_left(&teams);
    ctxs.n = teams.n = 0;
}

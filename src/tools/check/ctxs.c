/* SPDX-License-Identifier: BSD-3-Clause */
/* Remembers the contexts that this PE has made and not ended. */
#include "tools/check/ctxs.h"

#include <shmem.h>

/* A context; those of the numbers for the default one and for none are not used. */
static struct {
    void *value; /* NULL: the number is free */
    void *team;
} ctxs[TERN_CHECK_CTXS];
static int latest = TERN_CHECK_BY_DEFAULT + 1;

static int find(const void *value)
{
    if (ctxs[latest].value == value)
        return latest;
    for (int i = TERN_CHECK_BY_DEFAULT + 1; i < TERN_CHECK_CTXS; i++)
        if (ctxs[i].value == value)
            return latest = i;
    return TERN_CHECK_AT_ONCE;
}

int tern_check_ctx_find_number(struct tern_call *call)
{
    void *value = tern_call_pointer(call, TERN_CTX);

    if (value == (void *)SHMEM_CTX_DEFAULT)
        return TERN_CHECK_BY_DEFAULT;
    return value ? find(value) : TERN_CHECK_AT_ONCE;
}

/* Contexts that are not known may be of any team: one too many, or an extension's. */
int tern_check_ctx_find_pe(struct tern_call *call)
{
    int ctx = tern_check_ctx_find_number(call), pe = (int)tern_call_number(call, TERN_PE, -1);
    void *team = SHMEM_TEAM_WORLD;
    shmem_team_t found;

    if (ctx > TERN_CHECK_BY_DEFAULT)
        team = ctxs[ctx].team;
    else if (ctx == TERN_CHECK_AT_ONCE &&
             TERN_REAL(shmem_ctx_get_team)(tern_call_pointer(call, TERN_CTX), &found) == 0)
        team = found;
    return team == SHMEM_TEAM_WORLD
               ? pe
               : TERN_REAL(shmem_team_translate_pe)(team, pe, SHMEM_TEAM_WORLD);
}

void tern_check_ctx_add(struct tern_call *call)
{
    bool on_team = call->routine->place[TERN_TEAM];
    void *value = *(void **)call->arg[on_team + 1].p;
    int number = TERN_CHECK_BY_DEFAULT + 1;

    if (call->result.i != 0 || value == (void *)SHMEM_CTX_INVALID)
        return;
    while (number < TERN_CHECK_CTXS && ctxs[number].value && ctxs[number].value != value)
        number++;
    if (number == TERN_CHECK_CTXS)
        return;
    ctxs[number].value = value;
    ctxs[number].team = on_team ? call->arg[0].p : (void *)SHMEM_TEAM_WORLD;
}

void tern_check_ctx_remove(struct tern_call *call)
{
    int number = tern_check_ctx_number(call);

    if (number > TERN_CHECK_BY_DEFAULT)
        ctxs[number].value = NULL;
}

void tern_check_ctx_remove_of(const void *team)
{
    for (int i = TERN_CHECK_BY_DEFAULT + 1; i < TERN_CHECK_CTXS; i++)
        if (ctxs[i].team == team)
            ctxs[i].value = NULL;
}

void tern_check_ctx_remove_all(void)
{
    for (int i = TERN_CHECK_BY_DEFAULT + 1; i < TERN_CHECK_CTXS; i++)
        ctxs[i].value = NULL;
}

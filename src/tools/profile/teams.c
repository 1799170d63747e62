/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the target PE and the team of a call. */
#include "tools/profile/teams.h"

#include <shmem.h>
#include <string.h>

#include "base/hash.h"

/* A cache of teams by their handles; a new entry replaces the oldest. */
#define KNOWN 64

static struct {
    const void *team;
    uint64_t key, members;
} known[KNOWN];

static struct {
    uint64_t key, meetings;
} counted[KNOWN];

static unsigned oldest, n_counted;

int tern_teams_peer(struct tern_call *call)
{
    int pe = (int)tern_call_number(call, TERN_PE, -1);
    shmem_ctx_t ctx = tern_call_pointer(call, TERN_CTX);
    static int asked = -1; /* threads may set it at once, to the same value */
    int has_teams = __atomic_load_n(&asked, __ATOMIC_RELAXED);
    shmem_team_t team;

    if (pe < 0 || !ctx || ctx == SHMEM_CTX_DEFAULT)
        return pe;
    if (has_teams < 0) {
        has_teams = tern_has("shmem_ctx_get_team");
        __atomic_store_n(&asked, has_teams, __ATOMIC_RELAXED);
    }
    if (!has_teams)
        return pe;
    if (TERN_REAL(shmem_ctx_get_team)(ctx, &team) != 0)
        return -1;
    return TERN_REAL(shmem_team_translate_pe)(team, pe, SHMEM_TEAM_WORLD);
}

/* A hash of the members' numbers in the world. */
static uint64_t key_of(shmem_team_t team, int n)
{
    uint64_t key = 1;

    for (int i = 0; i < n; i++)
        key = tern_hash_add(
            key, 1 + (uint64_t)TERN_REAL(shmem_team_translate_pe)(team, i, SHMEM_TEAM_WORLD));
    return key;
}

static int look_up(shmem_team_t team)
{
    int n;

    for (int i = 0; i < KNOWN; i++)
        if (known[i].team == team)
            return i;
    oldest = (oldest + 1) % KNOWN;
    n = TERN_REAL(shmem_team_n_pes)(team);
    known[oldest].team = team;
    known[oldest].members = (uint64_t)n;
    known[oldest].key = key_of(team, n);
    return (int)oldest;
}

void tern_teams_forget(const void *team)
{
    for (int i = 0; i < KNOWN; i++)
        if (known[i].team == team)
            known[i].team = NULL;
}

void tern_teams_forget_all(void)
{
    memset(known, 0, sizeof known);
}

/* The world team has key 0. */
static void find_team(struct tern_call *call, uint64_t *key, uint64_t *members)
{
    shmem_team_t team = tern_call_pointer(call, TERN_TEAM);

    if (call->routine->place[TERN_PE_SIZE]) {
        *members = (uint64_t)tern_call_number(call, TERN_PE_SIZE, 0);
        *key = tern_hash_add(
            tern_hash_add(tern_hash_add(2, (uint64_t)tern_call_number(call, TERN_PE_START, 0)),
                          (uint64_t)tern_call_number(call, TERN_LOG_PE_STRIDE, 0)),
            *members);
    } else if (!team || team == SHMEM_TEAM_WORLD) {
        *key = 0;
        *members = (uint64_t)TERN_REAL(shmem_n_pes)();
    } else {
        int i = look_up(team);

        *key = known[i].key;
        *members = known[i].members;
    }
}

bool tern_teams_meeting(struct tern_call *call, struct tern_profile_meeting *meeting)
{
    unsigned i = 0;

    find_team(call, &meeting->team, &meeting->members);
    while (i < n_counted && counted[i].key != meeting->team)
        i++;
    if (i == KNOWN)
        return false;
    if (i == n_counted)
        counted[n_counted++].key = meeting->team;
    meeting->number = counted[i].meetings++;
    return true;
}

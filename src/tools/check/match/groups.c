/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps the groups of PEs whose collective calls this PE makes. */
#include "tools/check/match/groups.h"

#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/check/args/active_set.h"
#include "tools/check/args/signature.h"
#include "tools/check/hang/waits.h"
#include "tools/check/shared/board.h"
#include "tools/check/shared/identity.h"
#include "tools/check/shared/source_location.h"
#include "tools/symmetric.h"

#define BUCKETS 256

static struct tern_check_group *buckets[BUCKETS], *world;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static bool threads;

static uint64_t mix(uint64_t key, uint64_t value)
{
    key = (key ^ (value + UINT64_C(0x2545f4914f6cdd1d))) * UINT64_C(0x9e3779b97f4a7c15);
    return key ^ key >> 29;
}

/* Keys fit in a long, and are not 0. */
static uint64_t finish(uint64_t key)
{
    return (key & INT64_MAX) | 1;
}

static struct tern_check_group **bucket_of(const void *team, uint64_t key)
{
    return &buckets[mix((uintptr_t)team, team ? 0 : key) % BUCKETS];
}

/* lower, upper: the members before and after this PE, or -1. */
static struct tern_check_group *make(const void *team, uint64_t key, int n_pes, int lower,
                                     int upper)
{
    struct tern_check_group *group = calloc(1, sizeof *group);
    struct tern_check_group **bucket = bucket_of(team, key);

    if (!group)
        return NULL;
    group->team = team;
    group->key = key;
    group->n_pes = n_pes;
    group->has_lower = lower >= 0;
    group->lower = (struct tern_check_pair){.key = key, .at = tern_check_my_pe(), .is_upper = true};
    group->has_upper = upper >= 0;
    group->upper = (struct tern_check_pair){.key = key, .at = upper};
    pthread_mutex_init(&group->lock, NULL);
    group->next = *bucket;
    *bucket = group;
    tern_check_waits_add_group(key);
    return group;
}

static int world_pe(shmem_team_t team, int pe)
{
    return TERN_REAL(shmem_team_translate_pe)(team, pe, SHMEM_TEAM_WORLD);
}

/* One split may create several teams, on different PEs; their first members tell them apart. */
static struct tern_check_group *make_team(shmem_team_t team, uint64_t key)
{
    int me = TERN_REAL(shmem_team_my_pe)(team), n = TERN_REAL(shmem_team_n_pes)(team);

    if (me < 0)
        return NULL;
    key = finish(mix(key, 1 + (uint64_t)world_pe(team, 0)));
    return make(team, key, n, me > 0 ? world_pe(team, me - 1) : -1,
                me + 1 < n ? world_pe(team, me + 1) : -1);
}

int tern_check_groups_pe(const struct tern_check_group *group, int rank)
{
    if (group == world)
        return rank;
    return group->team ? world_pe((shmem_team_t)group->team, rank)
                       : group->start + (rank << group->log_stride);
}

void tern_check_groups_open(bool several_threads)
{
    int me = tern_check_my_pe(), n = tern_check_n_pes();

    threads = several_threads;
    world = make(SHMEM_TEAM_WORLD, WORLD_KEY, n, me - 1, me + 1 < n ? me + 1 : -1);
    if (tern_has("shmem_team_my_pe"))
        make_team(SHMEM_TEAM_SHARED, 3);
}

void tern_check_groups_close(void)
{
    pthread_mutex_lock(&lock);
    for (int i = 0; i < BUCKETS; i++)
        while (buckets[i]) {
            struct tern_check_group *group = buckets[i];

            buckets[i] = group->next;
            /* PEs still in finalize are shown with the world's count, which this PE has reached. */
            if (group != world)
                tern_check_waits_forget_group(group->key);
            free(group);
        }
    world = NULL;
    pthread_mutex_unlock(&lock);
}

struct tern_check_group *tern_check_groups_world(void)
{
    return world;
}

static struct tern_check_group *find_team(const void *team)
{
    struct tern_check_group *group;

    if (team == SHMEM_TEAM_WORLD)
        return world;
    if (!team || team == SHMEM_TEAM_INVALID) /* calls on active sets have no team, either */
        return NULL;
    pthread_mutex_lock(&lock);
    group = *bucket_of(team, 0);
    while (group && group->team != team)
        group = group->next;
    pthread_mutex_unlock(&lock);
    return group;
}

/* work: distinguishes calls of one active set that may overlap; 0 where none do. */
static struct tern_check_group *find_set(int start, int log_stride, int size, uint64_t work)
{
    uint64_t key = mix(mix(mix(5, (uint64_t)start), (uint64_t)log_stride), (uint64_t)size);
    int rank = tern_check_active_set_rank(start, log_stride, size);
    struct tern_check_group *group;

    if (rank < 0)
        return NULL;
    key = finish(mix(key, work));
    pthread_mutex_lock(&lock);
    group = *bucket_of(NULL, key);
    while (group && (group->team || group->key != key))
        group = group->next;
    if (!group)
        group = make(NULL, key, size, rank > 0 ? start + ((rank - 1) << log_stride) : -1,
                     rank + 1 < size ? start + ((rank + 1) << log_stride) : -1);
    if (group) {
        group->start = start;
        group->log_stride = log_stride;
    }
    pthread_mutex_unlock(&lock);
    return group;
}

/*
 * The calls of an active set match in their order. If several threads may make such calls at once,
 * their work arrays tell which ones belong together.
 */
static struct tern_check_group *set_of(struct tern_call *call)
{
    int64_t log_stride = tern_call_number(call, TERN_LOG_PE_STRIDE, 0);
    int psync = threads ? tern_check_signature_argument(call->routine, "pSync") : -1;

    if (!tern_check_active_set_is_stride(log_stride) || tern_check_active_set_leaves_job(call))
        return NULL;
    return find_set((int)tern_call_number(call, TERN_PE_START, 0), (int)log_stride,
                    (int)tern_call_number(call, TERN_PE_SIZE, 0),
                    psync < 0 ? 0 : tern_symmetric_name(call->arg[psync].p));
}

struct tern_check_group *tern_check_groups_find(struct tern_call *call)
{
    if (call->routine->place[TERN_TEAM])
        return find_team(tern_call_pointer(call, TERN_TEAM));
    if (call->routine->place[TERN_PE_SIZE])
        return set_of(call);
    return world;
}

void tern_check_groups_add(const void *team, const struct tern_check_group *parent, uint64_t number,
                           int argument, const struct tern_call *call)
{
    struct tern_check_group *group;

    pthread_mutex_lock(&lock);
    group = make_team((shmem_team_t)team, mix(mix(parent->key, number), (uint64_t)argument));
    if (group) {
        group->made_by = call->routine;
        group->made_at = tern_check_source_location_site(call);
    }
    pthread_mutex_unlock(&lock);
}

void tern_check_groups_remove(struct tern_check_group *group)
{
    struct tern_check_group **at;

    pthread_mutex_lock(&lock);
    at = bucket_of(group->team, group->key);
    while (*at && *at != group)
        at = &(*at)->next;
    if (*at)
        *at = group->next;
    pthread_mutex_unlock(&lock);
    tern_check_waits_forget_group(group->key);
    free(group);
}

void tern_check_groups_describe(const void *record, char *text, size_t size)
{
    const struct tern_check_group *group = record;

    if (group == world)
        snprintf(text, size, "the world team");
    else if (group->made_by)
        snprintf(text, size, "the team of %d PEs, made by %s at %s", group->n_pes,
                 group->made_by->name, tern_check_source_location_text(group->made_at));
    else if (group->team)
        snprintf(text, size, "the team of %d PEs, SHMEM_TEAM_SHARED", group->n_pes);
    else
        snprintf(text, size, "the active set of %d PEs from PE %d on, at a stride of %d",
                 group->n_pes, group->start, 1 << group->log_stride);
}

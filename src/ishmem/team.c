/* SPDX-License-Identifier: BSD-3-Clause */
/* Teams are numbers here: OpenSHMEM's handles do not fit into ishmem_team_t. */
#include <limits.h>
#include <pthread.h>
#include <stdint.h>

#include "ishmem/convert.h"
#include "ishmem/team.h"

TERN_PE_LOCAL shmem_team_t tern_ishmem_world, tern_ishmem_shared;

static shmem_team_t copy_of(shmem_team_t team)
{
    shmem_team_t copy = SHMEM_TEAM_INVALID;

    if (shmem_team_split_strided(team, 0, 1, shmem_team_n_pes(team), NULL, 0, &copy))
        tern_client_fatal("ishmem_init", "can't create the team of all PEs");
    return copy;
}

void tern_ishmem_team_start(void)
{
    tern_ishmem_world = copy_of(SHMEM_TEAM_WORLD);
    tern_ishmem_shared = copy_of(SHMEM_TEAM_SHARED);
}

void tern_ishmem_team_stop(void)
{
    shmem_team_destroy(tern_ishmem_shared);
    shmem_team_destroy(tern_ishmem_world);
}

/*
 * A team's number counts the teams that this PE has joined. Its slot is the number modulo the
 * table's size. A stale number is therefore recognized until the count has wrapped. A lookup takes
 * no lock.
 */
#define FIRST 16 /* smaller numbers are those of predefined teams */
#define SLOTS 65536

struct slot {
    ishmem_team_t number; /* 0 while free */
    shmem_team_t team;
};

static TERN_PE_LOCAL pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static TERN_PE_LOCAL struct slot slots[SLOTS];
static TERN_PE_LOCAL ishmem_team_t last = FIRST - 1;

static struct slot *slot_of(ishmem_team_t team)
{
    return &slots[(unsigned)team % SLOTS];
}

shmem_team_t tern_ishmem_team_find(ishmem_team_t team)
{
    const struct slot *slot = slot_of(team);

    /* Acquire: partner of the release in number_for(), for numbers passed between threads. */
    if (team < FIRST || __atomic_load_n(&slot->number, __ATOMIC_ACQUIRE) != team)
        return (shmem_team_t)UINTPTR_MAX; /* OpenSHMEM's routine then reports an invalid team */
    return slot->team;
}

/* Returns a number whose slot is free; 0 if there is none. */
static ishmem_team_t next_number(void)
{
    for (int tried = 0; tried < SLOTS; tried++) {
        last = last == INT_MAX ? FIRST : last + 1;
        if (!slot_of(last)->number)
            return last;
    }
    return 0;
}

static ishmem_team_t number_for(shmem_team_t team, const char *routine)
{
    ishmem_team_t number;

    if (team == SHMEM_TEAM_INVALID)
        return ISHMEM_TEAM_INVALID;
    pthread_mutex_lock(&lock);
    number = next_number();
    if (number) {
        slot_of(number)->team = team;
        __atomic_store_n(&slot_of(number)->number, number, __ATOMIC_RELEASE);
    }
    pthread_mutex_unlock(&lock);
    if (!number)
        tern_client_fatal(routine, "there are too many teams: destroy those no longer needed");
    return number;
}

static void forget(ishmem_team_t team)
{
    pthread_mutex_lock(&lock);
    if (slot_of(team)->number == team)
        __atomic_store_n(&slot_of(team)->number, 0, __ATOMIC_RELEASE);
    pthread_mutex_unlock(&lock);
}

int ishmem_team_get_config(ishmem_team_t team, long config_mask, ishmem_team_config_t *config)
{
    shmem_team_config_t found = {.num_contexts = 0};
    int r = shmem_team_get_config(tern_ishmem_team(team), config_mask, &found);

    if (r == 0 && config && (config_mask & ISHMEM_TEAM_NUM_CONTEXTS))
        config->num_contexts = found.num_contexts;
    return r;
}

_Static_assert(ISHMEM_TEAM_NUM_CONTEXTS == SHMEM_TEAM_NUM_CONTEXTS, "masks are handed on");

/* A configuration without a mask, or a mask without a configuration, selects nothing. */
static shmem_team_config_t config_of(const ishmem_team_config_t *config)
{
    return (shmem_team_config_t){.num_contexts = config ? config->num_contexts : 0};
}

int ishmem_team_split_strided(ishmem_team_t parent_team, int start, int stride, int size,
                              const ishmem_team_config_t *config, long config_mask,
                              ishmem_team_t *new_team)
{
    shmem_team_config_t wanted = config_of(config);
    shmem_team_t team = SHMEM_TEAM_INVALID;
    int r = shmem_team_split_strided(tern_ishmem_team(parent_team), start, stride, size, &wanted,
                                     config_mask, &team);

    *new_team = number_for(team, __func__);
    return r;
}

int ishmem_team_split_2d(ishmem_team_t parent_team, int xrange,
                         const ishmem_team_config_t *xaxis_config, long xaxis_mask,
                         ishmem_team_t *xaxis_team, const ishmem_team_config_t *yaxis_config,
                         long yaxis_mask, ishmem_team_t *yaxis_team)
{
    shmem_team_config_t wanted_x = config_of(xaxis_config), wanted_y = config_of(yaxis_config);
    shmem_team_t x = SHMEM_TEAM_INVALID, y = SHMEM_TEAM_INVALID;
    int r = shmem_team_split_2d(tern_ishmem_team(parent_team), xrange, &wanted_x, xaxis_mask, &x,
                                &wanted_y, yaxis_mask, &y);

    *xaxis_team = number_for(x, __func__);
    *yaxis_team = number_for(y, __func__);
    return r;
}

void ishmem_team_destroy(ishmem_team_t team)
{
    shmem_team_destroy(tern_ishmem_team(team));
    forget(team);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* The groups of PEs that make collective calls, and how many calls this PE has made with each. */
#ifndef TERN_CHECK_GROUPS_H
#define TERN_CHECK_GROUPS_H

#include <pthread.h>

#include "tools/check/match/mailbox.h"

/* A team, an active set, or the world. */
struct tern_check_group {
    struct tern_check_group *next;
    const void *team;                   /* NULL for an active set */
    int start, log_stride, n_pes;       /* of an active set; n_pes also of a team */
    const struct tern_routine *made_by; /* NULL: unknown, or not a team */
    const void *made_at;                /* the site of that call */
    uint64_t key;   /* the same on all members; no other group of theirs has it */
    uint64_t count; /* of calls so far */
    struct tern_check_pair lower, upper; /* with the members before and after this PE */
    bool has_lower, has_upper;
    bool parted_from_lower,
        parted_from_upper; /* from some call on, calls differ and are not compared */
    pthread_mutex_t lock;
};

/* Creates the predefined groups. threads: several threads may be in collective calls at once. */
void tern_check_groups_open(bool threads);

/* The world's number of a member. */
int tern_check_groups_pe(const struct tern_check_group *group, int rank);

/* Drops all groups. */
void tern_check_groups_close(void);

/* The group of a collective call, or NULL if it is not known. */
struct tern_check_group *tern_check_groups_find(struct tern_call *call);

/* The group of all PEs. */
struct tern_check_group *tern_check_groups_world(void);

/*
 * Adds a team that call number `number` of the parent has created, and returned by this argument.
 */
void tern_check_groups_add(const void *team, const struct tern_check_group *parent, uint64_t number,
                           int argument, const struct tern_call *call);

/* The team was destroyed. */
void tern_check_groups_remove(struct tern_check_group *group);

/* Writes "the world team", or the team's size and the call that made it; group: its struct. */
void tern_check_groups_describe(const void *group, char *text, size_t size);

#endif

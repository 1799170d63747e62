/* SPDX-License-Identifier: BSD-3-Clause */
/* Who takes part in a collective call, and how many such calls this PE has made with them. */
#ifndef TERN_CHECK_GROUPS_H
#define TERN_CHECK_GROUPS_H

#include <pthread.h>

#include "tools/check/match/mailbox.h"

/* A team, or an active set, or all PEs. */
struct tern_check_group {
    struct tern_check_group *next;
    const void *team;                    /* NULL for an active set */
    int start, log_stride, n_pes;        /* of an active set; n_pes of a team, too */
    uint64_t key;                        /* the same on all members, and no other group's there */
    uint64_t count;                      /* of the calls so far */
    struct tern_check_pair lower, upper; /* with the members before and after this PE */
    bool has_lower, has_upper;
    bool parted_from_lower, parted_from_upper; /* their calls match no more */
    pthread_mutex_t lock;
};

/* Makes the predefined groups. threads: several may be in collective calls at once. */
void tern_check_groups_open(bool threads);

/* Of all PEs, the member with this number. */
int tern_check_groups_pe(const struct tern_check_group *group, int rank);

/* Forgets all groups. */
void tern_check_groups_close(void);

/* Of a collective call, or NULL if the group is none that is known. */
struct tern_check_group *tern_check_groups_find(struct tern_call *call);

/* All PEs. */
struct tern_check_group *tern_check_groups_world(void);

/* A team that the number-th call of the parent has made, and given in this argument. */
void tern_check_groups_add(const void *team, const struct tern_check_group *parent, uint64_t number,
                           int argument);

/* The team is no more. */
void tern_check_groups_remove(struct tern_check_group *group);

/* "the world team", "the team of 3 PEs"; the text has room for 64. */
void tern_check_groups_describe(const struct tern_check_group *group, char *text);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* Teams of many forms, with their members listed by the tests' own arithmetic. */
#ifndef TEAM_SHAPES_H
#define TEAM_SHAPES_H

#include "harness/check.h"

struct shape {
    const char *name;
    shmem_team_t team; /* SHMEM_TEAM_INVALID on a PE that is no member */
    int n_pes;
    int my_pe;    /* in the team; -1 on a PE that is no member */
    int *members; /* numbers in the world, in the order of the team */
    bool predefined;
};

#define MAX_SHAPES 10

/*
 * Collective over all PEs: the same shapes in the same order everywhere, so that all PEs may walk
 * through them and each take part where it is a member. The teams overlap; two of them have the
 * same members in the same order. Small jobs have fewer: no shape is empty.
 */
int shapes_open(struct shape shapes[MAX_SHAPES]);

/* Collective: the teams are destroyed in the order of their creation, parents before children. */
void shapes_close(struct shape shapes[MAX_SHAPES], int n_shapes);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* The life of teams: splitting agrees on the outcome, destroying gives back what a team held. */
#ifndef TERN_COLL_SPLIT_H
#define TERN_COLL_SPLIT_H

#include <stdint.h>

#include "core/team.h"

/*
 * Collective over the parent. The new team's member i is the parent's PE start + i * stride.
 * Returns 0 on every PE of the parent, with TERN_TEAM_INVALID for those outside the new team; or
 * nonzero on all of them with TERN_TEAM_INVALID, when one PE's triplet is wrong or memory is short.
 */
int tern_split_strided(struct tern_team *parent, int start, int stride, int size, int num_contexts,
                       uintptr_t *handle, const char *routine);

/* Rows of xrange PEs (x axis) and their columns (y axis); both teams come about, or none. */
int tern_split_2d(struct tern_team *parent, int xrange, int x_contexts, uintptr_t *x_handle,
                  int y_contexts, uintptr_t *y_handle, const char *routine);

/*
 * A team for each colour, of the members that pass it, ordered by key and then as in the parent.
 * All come about, or none: where the members of one are not evenly spaced in that order, it can't.
 */
int tern_split_colored(struct tern_team *parent, int color, int key, uintptr_t *handle,
                       const char *routine);

/* Collective over the team, which is not predefined; frees its contexts too. */
void tern_split_destroy(struct tern_team *team);

#endif

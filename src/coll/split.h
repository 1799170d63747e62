/* SPDX-License-Identifier: BSD-3-Clause */
/* Creates teams by splitting others, and destroys them. */
#ifndef TERN_COLL_SPLIT_H
#define TERN_COLL_SPLIT_H

#include <stdint.h>

#include "core/team.h"

/*
 * Collective over the parent. The new team's member i is the parent's PE start + i * stride.
 * Returns 0 on every PE of the parent; those outside the new team get TERN_TEAM_INVALID. If one
 * PE's triplet is invalid or memory is short, all return nonzero and get TERN_TEAM_INVALID.
 */
int tern_split_strided(struct tern_team *parent, int start, int stride, int size, int num_contexts,
                       uintptr_t *handle, const char *routine);

/* Creates rows of xrange PEs (x axis) and columns (y axis); either both teams of a PE or none. */
int tern_split_2d(struct tern_team *parent, int xrange, int x_contexts, uintptr_t *x_handle,
                  int y_contexts, uintptr_t *y_handle, const char *routine);

/*
 * Creates a team for each colour from the members that pass it, ordered by key, then as in the
 * parent. Either all teams are created or none: it fails if a team's members are not evenly spaced
 * in that order.
 */
int tern_split_colored(struct tern_team *parent, int color, int key, uintptr_t *handle,
                       const char *routine);

/* Collective over the team, which is not predefined. Destroys its contexts too. */
void tern_split_destroy(struct tern_team *team);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* Opens one team of each form by splitting the world and earlier shapes. */
#include "team/shapes.h"

#include <stdlib.h>

static void find_self(struct shape *shape)
{
    shape->my_pe = -1;
    for (int i = 0; i < shape->n_pes; i++)
        if (shape->members[i] == check_pe())
            shape->my_pe = i;
}

static void open_world(struct shape *shape)
{
    shape->name = "world";
    shape->team = SHMEM_TEAM_WORLD;
    shape->predefined = true;
    shape->n_pes = check_n_pes();
    shape->members = malloc((size_t)shape->n_pes * sizeof(int));
    for (int i = 0; i < shape->n_pes; i++)
        shape->members[i] = i;
    find_self(shape);
}

/* Who shares memory is the library's knowledge alone. */
static void open_shared(struct shape *shape)
{
    shape->name = "shared";
    shape->team = SHMEM_TEAM_SHARED;
    shape->predefined = true;
    shape->n_pes = shmem_team_n_pes(SHMEM_TEAM_SHARED);
    shape->members = malloc((size_t)shape->n_pes * sizeof(int));
    for (int i = 0; i < shape->n_pes; i++)
        shape->members[i] = shmem_team_translate_pe(SHMEM_TEAM_SHARED, i, SHMEM_TEAM_WORLD);
    find_self(shape);
}

/* Adds nothing if the shape would have no member. */
static void open_split(struct shape *shapes, int *n_shapes, const char *name,
                       const struct shape *parent, int start, int stride, int n_pes)
{
    struct shape *shape = &shapes[*n_shapes];
    int error = 0;

    if (n_pes < 1)
        return;
    shape->name = name;
    shape->team = SHMEM_TEAM_INVALID;
    shape->predefined = false;
    shape->n_pes = n_pes;
    shape->members = malloc((size_t)n_pes * sizeof(int));
    for (int i = 0; i < n_pes; i++)
        shape->members[i] = parent->members[start + i * stride];
    find_self(shape);
    if (parent->my_pe >= 0)
        error = shmem_team_split_strided(parent->team, start, stride, n_pes, NULL, 0, &shape->team);
    check(error == 0, "shape-opens", "%s: split returned %d", name, error);
    check((shape->team != SHMEM_TEAM_INVALID) == (shape->my_pe >= 0), "shape-opens",
          "%s: a valid handle on the members alone", name);
    ++*n_shapes;
}

int shapes_open(struct shape shapes[MAX_SHAPES])
{
    int n = check_n_pes(), n_shapes = 2;
    const struct shape *world = &shapes[0], *reversed;

    open_world(&shapes[0]);
    open_shared(&shapes[1]);
    open_split(shapes, &n_shapes, "copy of the world", world, 0, 1, n);
    open_split(shapes, &n_shapes, "even", world, 0, 2, (n + 1) / 2);
    open_split(shapes, &n_shapes, "odd", world, 1, 2, n / 2);
    reversed = &shapes[n_shapes];
    open_split(shapes, &n_shapes, "reversed", world, n - 1, -1, n);
    open_split(shapes, &n_shapes, "upper half", world, n / 2, 1, n - n / 2);
    open_split(shapes, &n_shapes, "last alone", world, n - 1, 0, 1);
    open_split(shapes, &n_shapes, "every third of reversed", reversed, 0, 3, (n + 2) / 3);
    return n_shapes;
}

void shapes_close(struct shape shapes[MAX_SHAPES], int n_shapes)
{
    for (int s = 0; s < n_shapes; s++) {
        if (!shapes[s].predefined)
            shmem_team_destroy(shapes[s].team);
        free(shapes[s].members);
    }
}

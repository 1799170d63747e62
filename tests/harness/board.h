/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A board is a symmetric array with a slot for each sender. A picture holds its expected contents.
 */
#ifndef HARNESS_BOARD_H
#define HARNESS_BOARD_H

#include "harness/oracle.h"
#include "harness/route.h"

/*
 * Every PE sends to the members of a route that are 0, 1, ... BOARD_STEPS - 1 places further on,
 * and uses there the slot of that route and distance. So each slot has one writer, which the owner
 * of the board can work out, whatever the number of PEs.
 */
enum {
    BOARD_STEPS = 8,
    BOARD_SLOT = 32,
    BOARD_NELEMS = MAX_ROUTES * BOARD_STEPS * BOARD_SLOT,
};

/* Salts of the oracle: what lies in a board before, in what is sent, in what is then lost. */
enum {
    SALT_GUARD = 1,
    SALT_SENT,
    SALT_SCRIBBLE,
    SALT_OTHER,
};

/* No elements need no memory: NULL is allowed there since OpenSHMEM 1.5. */
#define NULL_IF_EMPTY(pointer, nelems) ((nelems) == 0 && SHMEM_AT_LEAST(1, 5) ? NULL : (pointer))

static inline int board_steps(const struct route *route)
{
    return route->n_pes < BOARD_STEPS ? route->n_pes : BOARD_STEPS;
}

static inline size_t board_slot(int route, int steps)
{
    return (size_t)((route * BOARD_STEPS + steps) * BOARD_SLOT);
}

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* The ways to reach a PE: the plain routine, or its ctx form through contexts on several teams. */
#ifndef HARNESS_ROUTE_H
#define HARNESS_ROUTE_H

#include "harness/check.h"

struct route {
    const char *name;
    bool plain; /* call the routine without a context */
    shmem_ctx_t ctx;
    /* Member i of the context's team is PE first + i * stride. */
    int first, stride, n_pes;
};

#define MAX_ROUTES 6

/*
 * Collective: opens the same routes, in the same order, on every PE: plain, the default context, a
 * context of the caller's own, and, where the library has teams, contexts on SHMEM_TEAM_WORLD,
 * on all PEs in reverse order, and on the PEs that are even or odd as the caller is.
 */
int routes_open(struct route routes[MAX_ROUTES]);

/* Collective. */
void routes_close(struct route routes[MAX_ROUTES], int n_routes);

/* The number by which the route knows a PE of the world, or -1: plain arithmetic. */
static inline int route_pe(const struct route *route, int pe)
{
    int member = (pe - route->first) / route->stride;

    if (member < 0 || member >= route->n_pes || route->first + member * route->stride != pe)
        return -1;
    return member;
}

/* The PE of the world `steps` (>= 0) members after the caller, around the team. */
static inline int route_peer(const struct route *route, int steps)
{
    int member = (route_pe(route, check_pe()) + steps) % route->n_pes;

    return route->first + member * route->stride;
}

/* As route_peer, but before the caller: the one whose route_peer this PE is. */
static inline int route_peer_before(const struct route *route, int steps)
{
    return route_peer(route, route->n_pes - steps % route->n_pes);
}

/* Completes what was issued through the route. */
static inline void route_quiet(const struct route *route)
{
    if (route->plain)
        shmem_quiet();
    else
        shmem_ctx_quiet(route->ctx);
}

static inline void route_fence(const struct route *route)
{
    if (route->plain)
        shmem_fence();
    else
        shmem_ctx_fence(route->ctx);
}

#endif

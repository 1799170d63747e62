/* SPDX-License-Identifier: BSD-3-Clause */
/* Opens and closes the contexts and teams behind the routes. */
#include "harness/route.h"

static struct route world_route(const char *name, bool plain, shmem_ctx_t ctx)
{
    return (struct route){name, plain, ctx, 0, 1, check_n_pes()};
}

#if SHMEM_AT_LEAST(1, 5)

static shmem_team_t reversed_team, parity_team;

static shmem_ctx_t team_ctx(shmem_team_t team)
{
    shmem_ctx_t ctx;

    check(shmem_team_create_ctx(team, 0, &ctx) == 0, "routes-open", "no context on a team");
    return ctx;
}

static int open_team_routes(struct route *route)
{
    int me = check_pe(), n = check_n_pes(), count = 0;

    route[count++] = world_route("ctx on the world team", false, team_ctx(SHMEM_TEAM_WORLD));

    check(shmem_team_split_strided(SHMEM_TEAM_WORLD, n - 1, -1, n, NULL, 0, &reversed_team) == 0,
          "routes-open", "no reversed team");
    route[count++] =
        (struct route){"ctx on the reversed team", false, team_ctx(reversed_team), n - 1, -1, n};

    for (int parity = 0; parity < 2 && parity < n; parity++) {
        int members = (n - parity + 1) / 2;
        shmem_team_t team;

        check(shmem_team_split_strided(SHMEM_TEAM_WORLD, parity, members > 1 ? 2 : 0, members, NULL,
                                       0, &team) == 0,
              "routes-open", "no team of every other PE");
        if (me % 2 != parity)
            continue;
        parity_team = team;
        route[count++] = (struct route){
            "ctx on the team of every other PE", false, team_ctx(team), parity, 2, members};
    }
    return count;
}

static void close_team_routes(void)
{
    shmem_team_destroy(parity_team);
    shmem_team_destroy(reversed_team);
}

#else

static int open_team_routes(struct route *route)
{
    (void)route;
    return 0;
}

static void close_team_routes(void)
{
}

#endif

int routes_open(struct route routes[MAX_ROUTES])
{
    shmem_ctx_t own;
    int count = 0;

    check_case("opening the routes");
    routes[count++] = world_route("plain", true, SHMEM_CTX_DEFAULT);
    routes[count++] = world_route("default ctx", false, SHMEM_CTX_DEFAULT);
    if (shmem_ctx_create(0, &own) == 0)
        routes[count++] = world_route("own ctx", false, own);
    return count + open_team_routes(routes + count);
}

void routes_close(struct route routes[MAX_ROUTES], int n_routes)
{
    for (int i = 0; i < n_routes; i++)
        if (!routes[i].plain && routes[i].ctx != SHMEM_CTX_DEFAULT)
            shmem_ctx_destroy(routes[i].ctx);
    shmem_barrier_all();
    close_team_routes();
}

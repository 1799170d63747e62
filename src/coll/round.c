/* SPDX-License-Identifier: BSD-3-Clause */
/* The barrier of a team, and rounds in which the last member to arrive works for all. */
#include "coll/round.h"

#include "coll/coll.h"
#include "core/multinode.h"

void tern_coll_sync(struct tern_team *team, const char *routine)
{
    tern_team_sync(team, routine);
}

struct work {
    struct tern_team *team;
    void (*finish)(struct tern_team *team, const void *arg);
    const void *arg;
};

static void do_work(void *arg)
{
    const struct work *w = arg;

    w->finish(w->team, w->arg);
}

void tern_round_enter_finish(struct tern_team *team, const void *mine, size_t bytes,
                             void (*finish)(struct tern_team *team, const void *arg),
                             const void *arg, const char *routine)
{
    struct work w = {team, finish, arg};

    tern_sync_allgather_finish(&team->sync, mine, bytes, do_work, &w, routine);
}

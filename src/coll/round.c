/* SPDX-License-Identifier: BSD-3-Clause */
/* The barrier of a team, and rounds in which the last member to arrive works for all. */
#include "coll/round.h"

#include "coll/coll.h"
#include "core/job.h"
#include "core/multinode.h"
#include "core/route.h"

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

void tern_round_count_reader(struct tern_team *team, int member)
{
    /* Release: the source has been read. Partner: the wait in tern_round_await_readers(). */
    tern_fetch_add(&team->sync.shared->members[member].readers, 1);
    tern_route_ring(tern_pe_range_world(&team->pes, member));
}

/* Sleeps at this PE's own bell: a bell of the team would wake all members for each reader. */
void tern_round_await_readers(struct tern_team *team, const char *routine)
{
    const uint64_t *readers = &team->sync.shared->members[team->me].readers;
    struct tern_wait w = tern_wait_begin(&tern_route.bells[tern_job.pe], routine);

    w.group = &team->pes;
    team->sync.readers += (uint64_t)team->pes.size - 1;
    /* Acquire: partner of the addition in tern_round_count_reader(). */
    while (tern_load_acquire(readers) < team->sync.readers)
        tern_wait_step(&w);
    tern_wait_end(&w);
}

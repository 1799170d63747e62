/* SPDX-License-Identifier: BSD-3-Clause */
/* When members copy from each other's sources, and how they know that all have. */
#include "coll/pull.h"

#include "coll/round.h"

static const struct tern_pull_share *share_of(const struct tern_team *team, int member)
{
    return tern_round_payload(team, member);
}

const char *tern_pull_source(const struct tern_team *team, const struct tern_pull *pull, int member)
{
    return tern_symmetric_peer_address(share_of(team, member)->source, pull->source_bytes,
                                       tern_pe_range_world(&team->pes, member), "source",
                                       pull->routine);
}

char *tern_pull_dest(const struct tern_team *team, const struct tern_pull *pull, int member)
{
    return tern_symmetric_peer_address(share_of(team, member)->dest, pull->dest_bytes,
                                       tern_pe_range_world(&team->pes, member), "dest",
                                       pull->routine);
}

/* A member starts with itself, so that not all read from the same member at once. */
static void copy_all(const struct tern_team *team, const struct tern_pull *pull, int to)
{
    for (int k = 0, i = to; k < team->pes.size; k++, i = tern_round_next(team, i))
        pull->copy(team, pull, i, to);
}

static void copy_for_all(struct tern_team *team, const void *pull)
{
    for (int to = 0; to < team->pes.size; to++)
        copy_all(team, pull, to);
}

/* The members whose copies were made before all had arrived; of the first 64 only. */
struct early {
    uint64_t members;
};

static bool is_early(const struct early *early, int member)
{
    return member < 64 && early->members >> member & 1;
}

static void copy_from(struct tern_team *team, const struct tern_pull *pull, int from)
{
    pull->copy(team, pull, from, team->me);
    if (from != team->me)
        tern_round_count_reader(team, from);
}

static void pull_at_arrival(struct tern_team *team, const struct tern_pull *pull,
                            const struct tern_pull_share *mine)
{
    struct early early = {0};

    tern_round_arrive(team, mine, sizeof *mine);
    for (int k = 0, i = team->me; k < team->pes.size; k++, i = tern_round_next(team, i))
        if (i < 64 && tern_round_has_arrived(team, i)) {
            copy_from(team, pull, i);
            early.members |= UINT64_C(1) << i;
        }
    tern_round_await(team, pull->routine);
    for (int k = 0, i = team->me; k < team->pes.size; k++, i = tern_round_next(team, i))
        if (!is_early(&early, i))
            copy_from(team, pull, i);
    tern_round_await_readers(team, pull->routine);
}

void tern_pull(struct tern_team *team, const struct tern_pull *pull)
{
    struct tern_pull_share mine = {tern_route_symmetric_offset(pull->source),
                                   tern_route_symmetric_offset(pull->dest)};

    if (pull->bytes <= tern_round_most_finished(team)) {
        tern_round_enter_finish(team, &mine, sizeof mine, copy_for_all, pull, pull->routine);
    } else if (tern_round_is_finished(team)) {
        pull_at_arrival(team, pull, &mine);
    } else {
        tern_round_enter(team, &mine, sizeof mine, pull->routine);
        copy_all(team, pull, team->me);
        tern_round_leave(team, pull->routine);
    }
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps records of teams. */
#include "tools/check/args/teams.h"

#include <shmem.h>
#include <string.h>

#include "tools/check/args/contexts.h"
#include "tools/check/args/handles.h"
#include "tools/check/args/signature.h"

static struct tern_check_handles teams = {.kind = FINDING_TEAM, .noun = "team"};

static void destroy_team(struct tern_call *call, void *value, struct tern_check_handle *team)
{
    if (value == (void *)SHMEM_TEAM_WORLD || value == (void *)SHMEM_TEAM_SHARED)
        tern_check_findings_report(call, FINDING_TEAM, "a predefined team can't be destroyed");
    if (!team)
        return;
    tern_check_contexts_end_of_team(call, value);
    tern_check_handles_end(team, call);
}

static void before(struct tern_call *call)
{
    void *value = tern_call_pointer(call, TERN_TEAM);
    enum tern_kind kind = call->routine->kind;
    struct tern_check_handle *team;

    if (value == (void *)SHMEM_TEAM_INVALID) {
        if (kind == TERN_KIND_SYNC || kind == TERN_KIND_COLLECTIVE)
            tern_check_findings_report(call, FINDING_TEAM,
                                       "the team is SHMEM_TEAM_INVALID: this PE is not in the "
                                       "team, or no team was created");
        return;
    }
    team = tern_check_handles_find(&teams, value);
    if (!tern_check_handles_report_ended(call, &teams, team) && kind == TERN_KIND_TEAM_DESTROY)
        destroy_team(call, value, team);
}

/* These routines name two teams, neither of which has the role of a team in the tables. */
static bool translates(const struct tern_routine *routine)
{
    return routine->kind == TERN_KIND_QUERY && strncmp(routine->arguments, "p src_team", 10) == 0;
}

void tern_check_teams_after(struct tern_call *call)
{
    int argument = -1;
    void *team;

    while (tern_check_signature_next_team(call, &argument, &team))
        tern_check_handles_add(&teams, team, call);
}

void tern_check_teams_before(struct tern_call *call)
{
    if (call->routine->place[TERN_TEAM])
        before(call);
    if (translates(call->routine)) {
        if (!tern_check_handles_report_ended(call, &teams,
                                             tern_check_handles_find(&teams, call->arg[0].p)))
            tern_check_handles_report_ended(call, &teams,
                                            tern_check_handles_find(&teams, call->arg[2].p));
    }
}

void tern_check_teams_end(void)
{
    tern_check_handles_close(&teams);
}

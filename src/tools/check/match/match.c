/* SPDX-License-Identifier: BSD-3-Clause */
/* Compares the collective calls of neighbours in a team, and keeps the teams up to date. */
#include "tools/check/match/match.h"

#include <shmem.h>
#include <stdio.h>
#include <string.h>

#include "tools/check/args/signature.h"
#include "tools/check/hang/wait_text.h"
#include "tools/check/hang/waits.h"
#include "tools/check/match/groups.h"
#include "tools/check/report/findings.h"
#include "tools/check/report/result.h"
#include "tools/check/shared/identity.h"
#include "tools/symmetric.h"

static bool ready;    /* between the first init and the last finalize */
static bool posting;  /* the mailbox works, so that calls can be compared */
static bool may_exit; /* the end of the process ends OpenSHMEM: start_pes has no finalize */

/* of the collective call that this thread is in */
static __thread uint64_t number __attribute__((tls_model("initial-exec")));

/* An allocation of 0 bytes before the world's next call; the world's lock guards it. */
static struct tern_check_signature before_world;

void tern_check_match_open(bool until_exit)
{
    int level = SHMEM_THREAD_SINGLE;
    void *block = tern_check_mailbox_open();

    if (tern_has("shmem_query_thread"))
        TERN_REAL(shmem_query_thread)(&level);
    if (!block && tern_check_my_pe() == 0)
        tern_check_findings_print("check: collective calls are not compared: the check needs 0.4 "
                                  "MB of the symmetric heap, "
                                  "which has less, or the library has no contexts\n");
    posting = block != NULL;
    tern_check_portable_location_start();
    tern_symmetric_set_heap(block);
    tern_check_groups_open(level == SHMEM_THREAD_MULTIPLE);
    tern_check_wait_text_name_groups(tern_check_groups_describe);
    may_exit = until_exit;
    ready = true;
}

void tern_check_match_close(void)
{
    ready = false;
    tern_check_groups_close();
}

/* ---- reports ---- */

static enum tern_check_finding kind_of(const struct tern_routine *routine)
{
    return routine->kind == TERN_KIND_ALLOC ? FINDING_ALLOCATION : FINDING_COLLECTIVE;
}

static void format_value(const struct tern_call *call, int argument, char *text, size_t size)
{
    if (tern_check_signature_is_address(call->routine, argument))
        snprintf(text, size, "%p", call->arg[argument].p);
    else
        snprintf(text, size, "%lld", (long long)call->arg[argument].i);
}

static void report_argument(const struct tern_call *mine, const struct tern_call *theirs, int pe,
                            const char *where, int argument, const char *name)
{
    char here[32], there[32], other[512];

    format_value(mine, argument, here, sizeof here);
    format_value(theirs, argument, there, sizeof there);
    tern_check_findings_format_call(theirs, other, sizeof other);
    tern_check_findings_report(
        mine, kind_of(mine->routine),
        "PE %d: %s at %s\n%s has to be the same on all PEs: here it is %s, on PE %d "
        "it is %s",
        pe, other, where, name, here, pe, there);
}

/* Describes an allocation of 0 bytes by the PE whose call does not match. */
static void describe_empty(const struct tern_check_signature *signature, char *text, size_t size)
{
    text[0] = '\0';
    if (signature->empty)
        snprintf(text, size,
                 "\nPE %d called %s for 0 bytes just before, at %s, which allocates nothing",
                 signature->pe, tern_routines[signature->empty - 1].name,
                 tern_check_portable_location_text(&signature->empty_location));
}

static void report_routine(const struct tern_call *call, const struct tern_call *other,
                           const struct tern_check_signature *mine,
                           const struct tern_check_signature *theirs,
                           const struct tern_check_group *group)
{
    bool allocates =
        other->routine->kind == TERN_KIND_ALLOC || call->routine->kind == TERN_KIND_ALLOC;
    bool both = other->routine->kind == call->routine->kind;
    bool is_empty_there = call->routine->kind == TERN_KIND_ALLOC && theirs->empty;
    bool is_empty_here = other->routine->kind == TERN_KIND_ALLOC && mine->empty;
    char what[512], whose[512], before[512] = "";

    tern_check_findings_format_call(other, what, sizeof what);
    tern_check_groups_describe(group, whose, sizeof whose);
    if (is_empty_there || is_empty_here)
        describe_empty(is_empty_there ? theirs : mine, before, sizeof before);
    tern_check_findings_report(
        call, allocates && (both || before[0]) ? FINDING_ALLOCATION : FINDING_COLLECTIVE,
        "PE %d: %s at %s\nboth are collective call %llu on %s; members must make the same call%s",
        theirs->pe, what, tern_check_portable_location_text(&theirs->location),
        (unsigned long long)number + 1, whose, before);
}

static void report_end(const struct tern_call *call, int pe)
{
    tern_check_findings_report(call, FINDING_COLLECTIVE, "PE %d has ended %swithout this call", pe,
                               may_exit ? "" : "without shmem_finalize, and ");
}

static void report_skipped(const struct tern_check_signature *theirs)
{
    struct tern_call call;
    char other[512];

    tern_check_signature_to_call(&call, theirs);
    tern_check_findings_format_call(&call, other, sizeof other);
    tern_check_findings_report(NULL, FINDING_COLLECTIVE, "the process ends%s\nPE %d: %s at %s",
                               may_exit ? "" : " without shmem_finalize", theirs->pe, other,
                               tern_check_portable_location_text(&theirs->location));
}

/* ---- comparing ---- */

static bool ends(const struct tern_call *call)
{
    return call->routine->kind == TERN_KIND_FINALIZE;
}

/* Returns whether the calls of the pair differ from here on. call is NULL if this process ends. */
static bool compare(struct tern_call *call, const struct tern_check_group *group,
                    struct tern_check_pair *pair, const struct tern_check_signature *mine,
                    const struct tern_check_signature *theirs)
{
    struct tern_call other;
    int argument;
    char name[32];

    if (mine->ends || theirs->ends) {
        if (may_exit && !(mine->ends && theirs->ends))
            tern_check_result_note_early_end();
        else if (theirs->ends && !may_exit)
            tern_check_result_note_exit();
        if (tern_check_mailbox_part(pair) && !(mine->ends && theirs->ends)) {
            if (theirs->ends)
                report_end(call, theirs->pe);
            else
                report_skipped(theirs);
        }
        return true;
    }
    if (mine->routine != theirs->routine) {
        tern_check_signature_to_call(&other, theirs);
        if (tern_check_mailbox_part(pair))
            report_routine(call, &other, mine, theirs, group);
        if (ends(call) != ends(&other))
            tern_check_result_note_early_end();
        tern_check_waits_note_mismatch();
        return true;
    }
    argument = tern_check_signature_find_difference(mine, theirs, name);
    if (argument >= 0) {
        tern_check_signature_to_call(&other, theirs);
        report_argument(call, &other, theirs->pe,
                        tern_check_portable_location_text(&theirs->location), argument, name);
    }
    return false;
}

/* A side whose calls differ still posts, so that the other one does not wait for room. */
static void exchange(struct tern_call *call, struct tern_check_group *group,
                     const struct tern_check_signature *mine)
{
    struct tern_check_signature theirs;
    bool may_wait = call != NULL;

    if (group->has_lower &&
        tern_check_mailbox_post(&group->lower, number, may_wait, mine, &theirs) &&
        !group->parted_from_lower)
        group->parted_from_lower = compare(call, group, &group->lower, mine, &theirs);
    if (group->has_upper &&
        tern_check_mailbox_post(&group->upper, number, may_wait, mine, &theirs) &&
        !group->parted_from_upper)
        group->parted_from_upper = compare(call, group, &group->upper, mine, &theirs);
}

/* The call allocates nothing, so PEs need not make it together; but it may explain a mismatch. */
static void note_empty(const struct tern_call *call)
{
    struct tern_check_group *world = tern_check_groups_world();

    if (!call->routine->place[TERN_SIZE] || !world)
        return; /* not an allocation */
    pthread_mutex_lock(&world->lock);
    before_world.empty = (uint16_t)(call->routine - tern_routines + 1);
    tern_check_portable_location_of(tern_check_portable_location_site(call),
                                    &before_world.empty_location);
    pthread_mutex_unlock(&world->lock);
}

static void add_empty(struct tern_check_signature *signature)
{
    signature->empty = before_world.empty;
    if (signature->empty)
        signature->empty_location = before_world.empty_location;
    before_world.empty = 0;
}

uint64_t tern_check_match_number(void)
{
    return number;
}

/* Posts the call for the neighbours, and compares it with theirs. */
static void post(struct tern_call *call, struct tern_check_group *group)
{
    struct tern_check_signature signature = {.pe = tern_check_my_pe()};

    pthread_mutex_lock(&group->lock);
    number = group->count++;
    tern_check_waits_enter_group(group->key, number, group);
    if (posting) {
        tern_check_portable_location_of(tern_check_portable_location_site(call),
                                        &signature.location);
        tern_check_signature_of_call(&signature, call);
        if (group == tern_check_groups_world())
            add_empty(&signature);
        exchange(call, group, &signature);
    }
    pthread_mutex_unlock(&group->lock);
}

/* Whether all members of a group have to make the call. */
static bool is_collective(const struct tern_routine *routine)
{
    switch (routine->kind) {
    case TERN_KIND_ALLOC:
    case TERN_KIND_BARRIER:
    case TERN_KIND_SYNC:
    case TERN_KIND_COLLECTIVE:
    case TERN_KIND_TEAM_SPLIT:
    case TERN_KIND_TEAM_DESTROY:
    case TERN_KIND_FINALIZE:
        return true;
    default:
        return false;
    }
}

bool tern_check_match_before(struct tern_call *call, struct tern_check_group **group)
{
    if (!ready || !is_collective(call->routine))
        return false;
    if (tern_call_allocates_nothing(call)) {
        note_empty(call);
        return false;
    }
    *group = tern_check_groups_find(call);
    if (*group)
        post(call, *group);
    return true;
}

/* ---- teams ---- */

static void add_teams(struct tern_call *call)
{
    struct tern_check_group *parent = tern_check_groups_find(call);
    int argument = -1;
    void *team;

    while (parent && tern_check_signature_next_team(call, &argument, &team))
        tern_check_groups_add(team, parent, number, argument, call);
}

static void remove_team(struct tern_call *call)
{
    struct tern_check_group *group = tern_check_groups_find(call);

    if (!group || group == tern_check_groups_world())
        return;
    tern_check_mailbox_close(&group->lower);
    tern_check_mailbox_close(&group->upper);
    tern_check_groups_remove(group);
}

void tern_check_match_after(struct tern_call *call)
{
    if (!ready)
        return;
    if (call->routine->kind == TERN_KIND_TEAM_SPLIT)
        add_teams(call);
    else if (call->routine->kind == TERN_KIND_TEAM_DESTROY)
        remove_team(call);
}

void tern_check_match_exit(int status)
{
    struct tern_check_signature signature = {.pe = tern_check_my_pe(), .ends = 1};
    struct tern_check_group *world = tern_check_groups_world();

    if (!ready || !posting || status != 0 || !world)
        return;
    number = world->count++;
    exchange(NULL, world, &signature);
}

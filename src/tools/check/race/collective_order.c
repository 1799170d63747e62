/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds how collective calls order PEs, and which memory of their own PE they access. */
#include "tools/check/race/collective_order.h"

#include <shmem.h>

#include "tools/check/args/contexts.h"
#include "tools/check/args/library_state.h"
#include "tools/check/args/signature.h"
#include "tools/check/race/access_log.h"
#include "tools/check/race/peer_memory.h"
#include "tools/check/race/program_accesses.h"
#include "tools/check/race/race.h"
#include "tools/check/race/threads.h"
#include "tools/check/shared/identity.h"

/* What a member knows of other members when the call returns. */
enum knowledge {
    OF_ALL,   /* all have entered */
    OF_ROOT,  /* the root has entered */
    OF_LOWER, /* the members before it in the team have entered */
    PERHAPS,  /* some may have entered: the call need not wait for any */
    OF_NOBODY,
};

static enum knowledge knowledge_of(struct tern_call *call)
{
    enum tern_movement movement = call->routine->movement;

    switch (call->routine->kind) {
    case TERN_KIND_BARRIER:
    case TERN_KIND_SYNC:
    case TERN_KIND_ALLOC:
    case TERN_KIND_FINALIZE:
        return OF_ALL;
    case TERN_KIND_COLLECTIVE:
        if (tern_call_number(call, TERN_NELEMS, 0) == 0)
            return PERHAPS;
        return movement == TERN_BROADCAST ? OF_ROOT : movement == TERN_SCAN ? OF_LOWER : OF_ALL;
    case TERN_KIND_TEAM_DESTROY: /* members can't be asked afterwards */
        return OF_NOBODY;
    default:
        return PERHAPS;
    }
}

/* Whether the call begins with a quiet. */
static bool completes(enum tern_kind kind)
{
    return kind == TERN_KIND_BARRIER || kind == TERN_KIND_ALLOC || kind == TERN_KIND_FINALIZE;
}

static int root_of(struct tern_call *call, const struct tern_check_group *group)
{
    int argument = tern_check_signature_argument(call->routine, "PE_root");
    int root = argument < 0 ? -1 : (int)call->arg[argument].i;

    return root >= 0 && root < group->n_pes ? tern_check_groups_pe(group, root) : -1;
}

/*
 * Logs the access to so many blocks of nelems elements of dest or source, with the call's stride.
 */
static void log_blocks(struct tern_call *call, bool is_dest, uint64_t blocks)
{
    struct tern_check_pieces pieces;

    tern_check_access_log_pieces(call, is_dest ? TERN_DEST : TERN_SOURCE,
                                 is_dest ? TERN_DST : TERN_SST, &pieces);
    if (pieces.stride == call->routine->element)
        pieces.bytes *= blocks;
    else
        pieces.n *= blocks;
    tern_check_access_log_add_local(call, &pieces, is_dest, CTX_AT_ONCE);
}

/* Each PE logs its own arguments. The size of collect's dest is not known before the call. */
static void log_arguments(struct tern_call *call, const struct tern_check_group *group)
{
    enum tern_movement movement = call->routine->movement;
    bool to_all = movement == TERN_ALLTOALL, gathers = movement == TERN_FCOLLECT;
    bool is_broadcast = movement == TERN_BROADCAST, unknown = movement == TERN_COLLECT;
    bool is_root = is_broadcast && root_of(call, group) == tern_check_my_pe();
    uint64_t n = (uint64_t)group->n_pes;

    if (!is_broadcast || is_root)
        log_blocks(call, false, to_all ? n : 1);
    if (!unknown && !(is_root && !group->team && group != tern_check_groups_world()))
        log_blocks(call, true, to_all || gathers ? n : 1);
}

/* Ending a team completes work on its contexts; a few true races may then go unreported. */
static void end_ctxs(struct tern_call *call)
{
    tern_check_access_log_quiet_all();
    if (call->routine->kind == TERN_KIND_TEAM_DESTROY)
        tern_check_contexts_release_numbers_of(tern_call_pointer(call, TERN_TEAM));
    else if (tern_check_library_state_is_last(call))
        tern_check_contexts_release_all_numbers();
}

void tern_check_collective_order_enter(struct tern_call *call, const struct tern_check_group *group,
                                       uint64_t number)
{
    enum tern_kind kind = call->routine->kind;
    uint64_t time;

    tern_check_threads_enter();
    tern_check_program_accesses_flush();
    if (kind == TERN_KIND_ALLOC)
        tern_check_clocks_note_allocation();
    if (completes(kind))
        tern_check_access_log_quiet(CTX_DEFAULT);
    if (kind == TERN_KIND_TEAM_DESTROY || kind == TERN_KIND_FINALIZE)
        end_ctxs(call);
    time = tern_check_clocks_publish();
    if (!group)
        return;
    tern_check_clocks_enter(group->key, number, time);
    if (kind == TERN_KIND_COLLECTIVE)
        log_arguments(call, group);
}

/* If all PEs know all others, the knowledge of others adds nothing. */
static void learn_of(const struct tern_check_group *group, int pe, uint64_t number,
                     enum knowledge knowledge)
{
    if (pe >= 0)
        tern_check_clocks_learn_entered(pe, group->key, number, knowledge != PERHAPS,
                                        knowledge == OF_ALL && group == tern_check_groups_world());
}

static void learn_of_members(const struct tern_check_group *group, uint64_t number,
                             enum knowledge knowledge)
{
    for (int rank = 0; rank < group->n_pes; rank++) {
        int pe = tern_check_groups_pe(group, rank);

        if (pe != tern_check_my_pe())
            learn_of(group, pe, number, knowledge);
        else if (knowledge == OF_LOWER)
            return;
    }
}

void tern_check_collective_order_leave(struct tern_call *call, const struct tern_check_group *group,
                                       uint64_t number)
{
    enum knowledge knowledge = knowledge_of(call);

    if (call->routine->kind == TERN_KIND_ALLOC)
        tern_check_peer_memory_note_allocation();
    if (completes(call->routine->kind))
        tern_check_race_learn_by_quiet(CTX_DEFAULT);
    for (int ctx = 0; call->routine->kind == TERN_KIND_TEAM_DESTROY && ctx < MAX_CTXS; ctx++)
        tern_check_race_learn_by_quiet(ctx);
    if (!group) {
        tern_check_clocks_learn_all();
        return;
    }
    if (knowledge == OF_ROOT)
        learn_of(group, root_of(call, group), number, knowledge);
    else if (knowledge != OF_NOBODY)
        learn_of_members(group, number, knowledge);
    if (knowledge == OF_ALL && group == tern_check_groups_world())
        tern_check_clocks_note_meeting(group->key, number, completes(call->routine->kind));
}

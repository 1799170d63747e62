/* SPDX-License-Identifier: BSD-3-Clause */
/* Reports mistakes that the library would let pass, and keeps these calls from the library. */
#include "tools/check/args/call_filter.h"

#include "tools/check/args/active_set.h"
#include "tools/check/args/library_state.h"
#include "tools/check/args/signature.h"
#include "tools/check/report/findings.h"
#include "tools/check/shared/identity.h"

/* ---- alignments ---- */

/* The call's alignment, or NULL. */
static uint64_t *alignment_of(struct tern_call *call)
{
    int argument = call->routine->kind == TERN_KIND_ALLOC
                       ? tern_check_signature_argument(call->routine, "alignment")
                       : -1;

    return argument < 0 ? NULL : &call->arg[argument].u;
}

/* The next valid alignment; 0 if there is none. */
static uint64_t round_up(uint64_t alignment)
{
    uint64_t power = sizeof(void *);

    while (power && power < alignment)
        power <<= 1;
    return power;
}

static void check_alignment(struct tern_call *call)
{
    const uint64_t *alignment = alignment_of(call);

    if (alignment && round_up(*alignment) != *alignment)
        tern_check_findings_report(
            call, FINDING_ALIGNMENT,
            "alignment is %llu, and has to be a power of two and at least %zu",
            (unsigned long long)*alignment, sizeof(void *));
}

/* An alignment of 0 is an error of the library's as well, and stays as it is. */
void tern_check_call_filter_run(struct tern_call *call)
{
    uint64_t *alignment = alignment_of(call), given = alignment ? *alignment : 0;

    if (given && round_up(given))
        *alignment = round_up(given);
    tern_run(call);
    if (alignment)
        *alignment = given; /* as in the program's source */
}

/* ---- calls ---- */

bool tern_check_call_filter_report(struct tern_call *call)
{
    int64_t n = tern_call_number(call, TERN_PE_SIZE, 0);

    check_alignment(call);
    if (tern_check_active_set_leaves_job(call)) {
        tern_check_findings_report(call, FINDING_NO_SUCH_PE,
                                   "the active set has PEs %lld to %lld, but the job has 0 to %d",
                                   (long long)tern_call_number(call, TERN_PE_START, 0),
                                   (long long)tern_check_active_set_last(call),
                                   tern_check_n_pes() - 1);
        return true;
    }
    if (!tern_check_active_set_is_without_me(call))
        return false;
    tern_check_findings_report(call, FINDING_TEAM,
                               "this PE is not in the active set, which has %lld PE%s from PE %lld "
                               "on, at a stride of %lld",
                               (long long)n, n == 1 ? "" : "s",
                               (long long)tern_call_number(call, TERN_PE_START, 0),
                               1LL << tern_call_number(call, TERN_LOG_PE_STRIDE, 0));
    return true;
}

bool tern_check_call_filter_drops(struct tern_call *call)
{
    if (tern_check_library_state_has_ended())
        return call->routine->kind == TERN_KIND_FINALIZE;
    return tern_check_library_state_runs() && tern_check_active_set_is_without_me(call);
}

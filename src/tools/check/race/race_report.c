/* SPDX-License-Identifier: BSD-3-Clause */
/* Describes what two conflicting calls do, and what would order them. */
#include "tools/check/race/race_report.h"

#include <stdio.h>

#include "tools/check/args/address_text.h"
#include "tools/check/race/site_table.h"
#include "tools/check/report/findings.h"
#include "tools/check/shared/identity.h"

static const char *verb(uint16_t how)
{
    if (how & ACCESS_WRITES)
        return how & ACCESS_ATOMIC ? "changes" : "writes";
    return "reads";
}

static const char *atomically(uint16_t how)
{
    return how & ACCESS_ATOMIC ? " atomically" : "";
}

static enum tern_check_finding kind_of(const struct tern_check_access *access,
                                       const struct tern_check_conflict *conflict)
{
    bool own = tern_check_access_pe(&conflict->other) == tern_check_my_pe();

    if ((access->how ^ conflict->other.how) & ACCESS_ATOMIC)
        return FINDING_MIXED;
    return own && conflict->other.how & ACCESS_LOCAL ? FINDING_BUFFER : FINDING_RACE;
}

/* The quiet that completes the other access. */
static const char *quiet_of(const struct tern_check_access *other)
{
    return other->ctx > CTX_DEFAULT ? "shmem_ctx_quiet of its context" : "shmem_quiet";
}

/* An operation of this PE itself was not complete. */
static void explain_own(const struct tern_check_access *access,
                        const struct tern_check_access *other, char *text, size_t size)
{
    bool fence = access->how & other->how & ACCESS_FENCED;

    snprintf(text, size, "that call need not be complete: there has been no %s%s since",
             quiet_of(other), fence ? ", and no fence," : "");
}

static void explain_other(const struct tern_check_conflict *conflict, char *text, size_t size)
{
    int pe = tern_check_access_pe(&conflict->other), me = tern_check_my_pe();
    bool puts = conflict->other.ctx != CTX_AT_ONCE;

    if (conflict->why == ORDER_UNKNOWN)
        snprintf(text, size,
                 "nothing orders the two calls, as a barrier between them would, or a flag that "
                 "PE %d sets after %s and PE %d waits for",
                 pe, puts ? "a fence" : "that call", me);
    else
        snprintf(text, size,
                 "that call came first, but need not be complete: PE %d has called neither %s\nnor "
                 "a barrier since, nor shmem_fence before it set a flag that was waited for",
                 pe, quiet_of(&conflict->other));
}

static void report(const struct tern_call *call, const struct tern_check_access *access, int target,
                   uintptr_t address, const struct tern_check_conflict *conflict)
{
    int pe = tern_check_access_pe(&conflict->other);
    const struct tern_routine *routine;
    const char *location = tern_check_site_table_text(pe, conflict->other.site, &routine);
    enum tern_check_finding kind = kind_of(access, conflict);
    char name[512], why[512];

    if (tern_check_findings_count_again(call, kind, location))
        return;
    tern_check_address_text_format((const void *)address, name, sizeof name);
    if (pe == tern_check_my_pe())
        explain_own(access, &conflict->other, why, sizeof why);
    else
        explain_other(conflict, why, sizeof why);
    tern_check_findings_report_pair(
        call, kind, location,
        "%s%s %llu byte%s of PE %d at %s\n"
        "PE %d%s %s%s the same by %s at %s\n%s",
        verb(access->how), atomically(access->how), (unsigned long long)conflict->bytes,
        conflict->bytes == 1 ? "" : "s", target, name, pe,
        pe == tern_check_my_pe() ? " itself" : "", verb(conflict->other.how),
        atomically(conflict->other.how), routine ? routine->name : "a call", location, why);
}

void tern_check_race_report_conflicts(const struct tern_call *call,
                                      const struct tern_check_access *access, int target,
                                      uintptr_t address, uint64_t offset,
                                      const struct tern_check_conflicts *conflicts)
{
    for (int i = 0; i < conflicts->n; i++)
        report(call, access, target, address + (conflicts->list[i].start - offset),
               &conflicts->list[i]);
}

void tern_check_race_report_buffer(const struct tern_call *call, uintptr_t address, size_t bytes,
                                   bool writes, const struct tern_check_private_buffer *buffer)
{
    uintptr_t start = address > buffer->start ? address : buffer->start;
    uintptr_t end = address + bytes < buffer->end ? address + bytes : buffer->end;
    const struct tern_check_access other = {.ctx = (uint16_t)buffer->ctx};
    const struct tern_routine *routine;
    const char *location = tern_check_site_table_text(tern_check_my_pe(), buffer->site, &routine);

    if (tern_check_findings_count_again(call, FINDING_BUFFER, location))
        return;
    tern_check_findings_report_pair(call, FINDING_BUFFER, location,
                                    "%s %zu byte%s of private memory at %p\n"
                                    "that %s at %s still uses: there has been no %s since",
                                    writes ? "writes" : "reads", end - start,
                                    end - start == 1 ? "" : "s", (void *)start,
                                    routine ? routine->name : "a call", location, quiet_of(&other));
}

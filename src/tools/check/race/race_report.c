/* SPDX-License-Identifier: BSD-3-Clause */
/* Puts races into words: what each call does, and what would order them. */
#include "tools/check/race/race_report.h"

#include <stdio.h>

#include "tools/check/args/address_text.h"
#include "tools/check/race/site_table.h"
#include "tools/check/report/findings.h"
#include "tools/check/shared/identity.h"

static const char *verb(uint16_t how)
{
    if (how & TERN_CHECK_WRITES)
        return how & TERN_CHECK_ATOMIC ? "changes" : "writes";
    return "reads";
}

static const char *atomically(uint16_t how)
{
    return how & TERN_CHECK_ATOMIC ? " atomically" : "";
}

static enum tern_check_class class_of(const struct tern_check_mark *mark,
                                      const struct tern_check_race *race)
{
    bool own = tern_check_mark_pe(&race->other) == tern_check_pe();

    if ((mark->how ^ race->other.how) & TERN_CHECK_ATOMIC)
        return TERN_CHECK_MIXED;
    return own && race->other.how & TERN_CHECK_LOCAL ? TERN_CHECK_BUFFER : TERN_CHECK_RACE;
}

/* What completes the other access. */
static const char *quiet_of(const struct tern_check_mark *other)
{
    return other->ctx > TERN_CHECK_BY_DEFAULT ? "shmem_ctx_quiet of its context" : "shmem_quiet";
}

/* This PE's own call has not completed. */
static void explain_own(const struct tern_check_mark *mark, const struct tern_check_mark *other,
                        char *text, size_t size)
{
    bool fence = mark->how & other->how & TERN_CHECK_FENCED;

    snprintf(text, size, "that need not be complete: there has been no %s%s since", quiet_of(other),
             fence ? ", and no fence," : "");
}

static void explain_other(const struct tern_check_race *race, char *text, size_t size)
{
    int pe = tern_check_mark_pe(&race->other), me = tern_check_pe();
    bool puts = race->other.ctx != TERN_CHECK_AT_ONCE;

    if (race->why == TERN_CHECK_UNKNOWN)
        snprintf(text, size,
                 "nothing orders the two calls, as a barrier between them would, or a flag that "
                 "PE %d sets after %s and PE %d waits for",
                 pe, puts ? "a fence" : "that call", me);
    else
        snprintf(text, size,
                 "that was called before, but need not be complete: PE %d has not called %s in "
                 "between,\nor a barrier, nor shmem_fence before it set a flag that was waited for",
                 pe, quiet_of(&race->other));
}

static void tell(const struct tern_call *call, const struct tern_check_mark *mark, int target,
                 uintptr_t address, const struct tern_check_race *race)
{
    int pe = tern_check_mark_pe(&race->other);
    const struct tern_routine *routine;
    const char *place = tern_check_site_place(pe, race->other.site, &routine);
    enum tern_check_class class = class_of(mark, race);
    char name[512], why[512];

    if (tern_check_report_again(call, class, place))
        return;
    tern_check_name((const void *)address, name, sizeof name);
    if (pe == tern_check_pe())
        explain_own(mark, &race->other, why, sizeof why);
    else
        explain_other(race, why, sizeof why);
    tern_check_report_of_two(call, class, place,
                             "%s%s %llu byte%s of PE %d at %s\n"
                             "PE %d%s %s%s the same by %s at %s\n%s",
                             verb(mark->how), atomically(mark->how),
                             (unsigned long long)race->bytes, race->bytes == 1 ? "" : "s", target,
                             name, pe, pe == tern_check_pe() ? " itself" : "",
                             verb(race->other.how), atomically(race->other.how),
                             routine ? routine->name : "a call", place, why);
}

void tern_check_tell_races(const struct tern_call *call, const struct tern_check_mark *mark,
                           int target, uintptr_t address, uint64_t place,
                           const struct tern_check_races *races)
{
    for (int i = 0; i < races->n; i++)
        tell(call, mark, target, address + (races->found[i].start - place), &races->found[i]);
}

void tern_check_tell_buffer(const struct tern_call *call, uintptr_t address, size_t bytes,
                            bool writes, const struct tern_check_buffer *buffer)
{
    uintptr_t start = address > buffer->start ? address : buffer->start;
    uintptr_t end = address + bytes < buffer->end ? address + bytes : buffer->end;
    const struct tern_check_mark other = {.ctx = (uint16_t)buffer->ctx};
    const struct tern_routine *routine;
    const char *place = tern_check_site_place(tern_check_pe(), buffer->site, &routine);

    if (tern_check_report_again(call, TERN_CHECK_BUFFER, place))
        return;
    tern_check_report_of_two(call, TERN_CHECK_BUFFER, place,
                             "%s %zu byte%s of private memory at %p\n"
                             "which %s at %s has not done with: there has been no %s since",
                             writes ? "writes" : "reads", end - start, end - start == 1 ? "" : "s",
                             (void *)start, routine ? routine->name : "a call", place,
                             quiet_of(&other));
}

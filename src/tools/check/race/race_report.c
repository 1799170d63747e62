/* SPDX-License-Identifier: BSD-3-Clause */
/* Describes what two conflicting calls do, and what would order them. */
#include "tools/check/race/race_report.h"

#include <pthread.h>
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
    bool own =
        tern_check_clocks_pe(tern_check_access_actor(&conflict->other)) == tern_check_my_pe();

    if ((access->how | conflict->other.how) & ACCESS_ATOMIC)
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

/* Two threads of this PE. */
static void explain_threads(char *text, size_t size)
{
    snprintf(text, size,
             "nothing orders the two threads, as a join, a barrier or a lock that both take would");
}

/* The other PE only reads what this one writes: it may not have read it yet. */
static void explain_reuse(const struct tern_check_access *other, int pe, int me, char *text,
                          size_t size)
{
    snprintf(
        text, size,
        "the memory is used again too early: nothing tells PE %d that PE %d has read it, as a\n"
        "barrier would, or a flag that PE %d sets after %s and PE %d waits for",
        me, pe, pe, other->ctx == CTX_AT_ONCE ? "that access" : "a quiet", me);
}

/* This PE reads, or writes as well, and has had a flag of the other PE since the last barrier. */
static void explain_next(int pe, int me, char *text, size_t size)
{
    snprintf(
        text, size,
        "PE %d has had a flag of PE %d before, but nothing tells PE %d that PE %d is done with "
        "the memory\nbefore it is written again: a barrier would, or a flag from PE %d to PE "
        "%d for the way back",
        me, pe, pe, me, me, pe);
}

static void explain_unknown(const struct tern_check_access *access,
                            const struct tern_check_access *other, int pe, char *text, size_t size)
{
    int me = tern_check_my_pe();

    if (access->how & ACCESS_WRITES && !(other->how & ACCESS_WRITES))
        explain_reuse(other, pe, me, text, size);
    else if (tern_check_clocks_is_in_touch(other))
        explain_next(pe, me, text, size);
    else
        snprintf(text, size,
                 "nothing orders the two accesses, as a barrier between them would, or a flag that "
                 "PE %d\nsets after %s and PE %d waits for",
                 pe, other->ctx != CTX_AT_ONCE ? "a fence" : "that access", me);
}

static void explain_other(const struct tern_check_access *access,
                          const struct tern_check_conflict *conflict, int pe, char *text,
                          size_t size)
{
    if (conflict->why == ORDER_UNKNOWN)
        explain_unknown(access, &conflict->other, pe, text, size);
    else
        snprintf(text, size,
                 "that call came first, but need not be complete: PE %d has called neither %s\nnor "
                 "a barrier since, nor shmem_fence before it set a flag that was waited for",
                 pe, quiet_of(&conflict->other));
}

/* Atomic operations on one word that do not exclude each other. */
static void explain_types(const struct tern_check_access *access,
                          const struct tern_check_access *other, char *text, size_t size)
{
    if ((access->how ^ other->how) & ACCESS_WIDE)
        snprintf(text, size,
                 "the operations do not exclude each other: one is atomic for %d bytes, the other "
                 "for %d",
                 access->how & ACCESS_WIDE ? 8 : 4, other->how & ACCESS_WIDE ? 8 : 4);
    else
        snprintf(text, size,
                 "the operations do not exclude each other: one has an integer type, the other a "
                 "floating-point type");
}

static void explain(const struct tern_check_access *access,
                    const struct tern_check_conflict *conflict, int pe, char *text, size_t size)
{
    const struct tern_check_access *other = &conflict->other;

    if (access->how & other->how & ACCESS_ATOMIC)
        explain_types(access, other, text, size);
    else if (pe != tern_check_my_pe())
        explain_other(access, conflict, pe, text, size);
    else if (conflict->why == ORDER_UNKNOWN)
        explain_threads(text, size);
    else
        explain_own(access, other, text, size);
}

/* "PE 2", or "thread 1 of PE 2" if that has several. */
static void name_actor(int actor, char *text, size_t size)
{
    int pe = tern_check_clocks_pe(actor);

    if (tern_check_clocks_threads_of(pe) > 1)
        snprintf(text, size, "thread %d of PE %d", tern_check_clocks_thread(actor), pe);
    else
        snprintf(text, size, "PE %d", pe);
}

/* The bytes of an element, by either side; loads and stores of one element tell their own. */
static size_t element_of(const struct tern_routine *one, const struct tern_routine *other,
                         uint64_t bytes)
{
    if (one->element > 1)
        return one->element;
    if (other && other->element > 1)
        return other->element;
    return bytes <= 8 ? (size_t)bytes : 0;
}

/* ---- pairs of sites ---- */

/* One that was reported. Its finding is NULL in unused elements. */
struct pair {
    uint32_t site, other;
    int pe; /* of the other one */
    enum tern_check_finding kind;
    struct tern_check_finding_record *finding;
};

#define PAIRS 256

static struct pair pairs[PAIRS]; /* by a hash: the last ones */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct pair *pair_of(const struct tern_check_access *access,
                            const struct tern_check_conflict *conflict, struct pair *key)
{
    const struct tern_check_access *other = &conflict->other;

    *key = (struct pair){access->site, other->site,
                         tern_check_clocks_pe(tern_check_access_actor(other)),
                         kind_of(access, conflict), NULL};
    return &pairs[(key->site * 31 + key->other * 7 + (unsigned)key->pe + (unsigned)key->kind) %
                  PAIRS];
}

static struct tern_check_finding_record *find_pair(const struct tern_check_access *access,
                                                   const struct tern_check_conflict *conflict)
{
    struct pair key;
    const struct pair *pair = pair_of(access, conflict, &key);

    return pair->site == key.site && pair->other == key.other && pair->pe == key.pe &&
                   pair->kind == key.kind
               ? pair->finding
               : NULL;
}

static void remember_pair(const struct tern_check_access *access,
                          const struct tern_check_conflict *conflict,
                          struct tern_check_finding_record *finding)
{
    struct pair key, *pair = pair_of(access, conflict, &key);

    key.finding = finding;
    pthread_mutex_lock(&lock);
    *pair = key;
    pthread_mutex_unlock(&lock);
}

bool tern_check_race_report_again(const struct tern_check_access *access,
                                  const struct tern_check_conflicts *conflicts)
{
    struct tern_check_finding_record *found[MAX_CONFLICTS];
    bool all = access->site != 0; /* which stands for all sites without a number */

    pthread_mutex_lock(&lock);
    for (int i = 0; i < conflicts->n && all; i++)
        all = conflicts->list[i].other.site && (found[i] = find_pair(access, &conflicts->list[i]));
    pthread_mutex_unlock(&lock);
    for (int i = 0; i < conflicts->n && all; i++)
        tern_check_findings_count_again(found[i]);
    return all;
}

static void report(const struct tern_call *call, const struct tern_check_access *access, int target,
                   uintptr_t address, const struct tern_check_conflict *conflict)
{
    const struct tern_check_access *other = &conflict->other;
    int actor = tern_check_access_actor(other), pe = tern_check_clocks_pe(actor);
    const struct tern_routine *routine;
    const char *location = tern_check_site_table_text(pe, other->site, &routine);
    enum tern_check_finding kind = kind_of(access, conflict);
    struct tern_check_finding_record *found;
    char name[512], why[512], who[48], whose[48] = "";

    found = tern_check_findings_find_pair(call, kind, location);
    if (found) {
        remember_pair(access, conflict, found);
        tern_check_findings_count_again(found);
        return;
    }
    tern_check_address_text_format_element((const void *)address,
                                           element_of(call->routine, routine, conflict->bytes),
                                           name, sizeof name);
    explain(access, conflict, pe, why, sizeof why);
    name_actor(actor, who, sizeof who);
    if (tern_check_clocks_has_threads())
        snprintf(whose, sizeof whose, "thread %d ",
                 tern_check_clocks_thread(tern_check_access_actor(access)));
    tern_check_findings_report_pair(
        call, kind, location,
        "%s%s%s %llu byte%s of PE %d at %s\n"
        "%s%s %s%s the same by %s at %s\n%s",
        whose, verb(access->how), atomically(access->how), (unsigned long long)conflict->bytes,
        conflict->bytes == 1 ? "" : "s", target, name, who,
        actor == tern_check_access_actor(access) ? " itself" : "", verb(other->how),
        atomically(other->how), routine ? routine->name : "a call", location, why);
}

void tern_check_race_report_conflicts(const struct tern_call *call,
                                      const struct tern_check_access *access, int target,
                                      uintptr_t address, uint64_t offset,
                                      const struct tern_check_conflicts *conflicts)
{
    if (tern_check_race_report_again(access, conflicts))
        return;
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
    struct tern_check_finding_record *found;

    found = tern_check_findings_find_pair(call, FINDING_BUFFER, location);
    if (found) {
        tern_check_findings_count_again(found);
        return;
    }
    tern_check_findings_report_pair(call, FINDING_BUFFER, location,
                                    "%s %zu byte%s of private memory at %p\n"
                                    "that %s at %s still uses: there has been no %s since",
                                    writes ? "writes" : "reads", end - start,
                                    end - start == 1 ? "" : "s", (void *)start,
                                    routine ? routine->name : "a call", location, quiet_of(&other));
}

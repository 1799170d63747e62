/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps a list of the locks held, which is short. */
#include "tools/check/args/locks.h"

#include <stdlib.h>
#include <string.h>

#include "tools/check/report/findings.h"
#include "tools/check/shared/source_location.h"

struct lock {
    struct lock *next;
    const void *address;
    const struct tern_routine *routine;
    const void *site;
};

static struct lock *locks;

static struct lock **find(const void *address)
{
    struct lock **link = &locks;

    while (*link && (*link)->address != address)
        link = &(*link)->next;
    return link;
}

bool tern_check_locks_is_routine(const struct tern_routine *routine)
{
    switch (routine->kind) {
    case TERN_KIND_WAIT:
    case TERN_KIND_TEST:
    case TERN_KIND_LOCK_CLEAR:
        return strcmp(routine->arguments, "p lock") == 0;
    default:
        return false;
    }
}

static void check_taking(struct tern_call *call, const struct lock *held)
{
    if (held)
        tern_check_findings_report(
            call, FINDING_LOCK, "this PE holds the lock already%s\nit was taken by %s at %s",
            call->routine->kind == TERN_KIND_WAIT ? ", so that it waits for itself" : "",
            held->routine->name, tern_check_source_location_text(held->site));
}

void tern_check_locks_before(struct tern_call *call)
{
    struct lock **link, *held;

    if (!tern_check_locks_is_routine(call->routine))
        return;
    link = find(call->arg[0].p);
    held = *link;
    if (call->routine->kind != TERN_KIND_LOCK_CLEAR) {
        check_taking(call, held);
    } else if (held) {
        *link = held->next;
        free(held);
    } else {
        tern_check_findings_report(call, FINDING_LOCK, "this PE does not hold the lock");
    }
}

void tern_check_locks_after(struct tern_call *call)
{
    bool taken = call->routine->kind == TERN_KIND_WAIT ||
                 (call->routine->kind == TERN_KIND_TEST && call->result.i == 0);
    struct lock *lock;

    if (!tern_check_locks_is_routine(call->routine) || !taken || *find(call->arg[0].p))
        return;
    lock = malloc(sizeof *lock);
    if (!lock)
        return;
    *lock = (struct lock){
        .next = locks,
        .address = call->arg[0].p,
        .routine = call->routine,
        .site = tern_check_source_location_site(call),
    };
    locks = lock;
}

void tern_check_locks_end(void)
{
    while (locks) {
        struct lock *lock = locks;

        tern_check_findings_report(NULL, FINDING_LOCK, "a lock is still held, taken by %s at %s",
                                   lock->routine->name,
                                   tern_check_source_location_text(lock->site));
        locks = lock->next;
        free(lock);
    }
}

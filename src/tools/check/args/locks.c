/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps a list of the locks held, which is short. */
#include "tools/check/args/locks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/check/args/address_text.h"
#include "tools/check/report/findings.h"
#include "tools/check/shared/board.h"
#include "tools/check/shared/source_location.h"
#include "tools/no_memory.h"
#include "tools/symmetric.h"

/* A lock that this PE holds or has held. */
struct lock {
    struct lock *next;
    const void *address;
    const struct tern_routine *routine; /* that took it */
    const void *site;
    const void *released; /* the site of the call that cleared it; NULL: it is held */
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

static bool is_held(const struct lock *lock)
{
    return lock && !lock->released;
}

static void check_taking(struct tern_call *call, const struct lock *held)
{
    if (is_held(held))
        tern_check_findings_report(
            call, FINDING_LOCK, "this PE holds the lock already%s\nit was taken by %s at %s",
            call->routine->kind == TERN_KIND_WAIT ? ", so that it waits for itself" : "",
            held->routine->name, tern_check_source_location_text(held->site));
}

/* lock: what is known of it, or NULL. */
static void report_not_held(struct tern_call *call, const struct lock *lock)
{
    struct tern_check_portable_location location;
    char holder[300] = "no PE of this machine holds it", released[300] = "";
    int pe;

    if (tern_check_board_find_holder(tern_symmetric_name(call->arg[0].p), &pe, &location))
        snprintf(holder, sizeof holder, "PE %d holds it since %s", pe,
                 tern_check_portable_location_text(&location));
    if (lock)
        snprintf(released, sizeof released, "\nit was released before, at %s",
                 tern_check_source_location_text(lock->released));
    tern_check_findings_report(call, FINDING_LOCK, "this PE does not hold the lock: %s%s", holder,
                               released);
}

void tern_check_locks_before(struct tern_call *call)
{
    struct lock *lock;

    if (!tern_check_locks_is_routine(call->routine))
        return;
    lock = *find(call->arg[0].p);
    if (call->routine->kind != TERN_KIND_LOCK_CLEAR)
        check_taking(call, lock);
    else if (is_held(lock))
        lock->released = tern_check_source_location_site(call);
    else
        report_not_held(call, lock);
}

static struct lock *find_or_add(const void *address)
{
    struct lock *lock = *find(address);

    if (lock)
        return lock;
    lock = calloc(1, sizeof *lock);
    if (!lock) /* the PE would seem not to hold what it releases */
        tern_tool_no_memory("--check", "a lock", sizeof *lock);
    lock->next = locks;
    lock->address = address;
    locks = lock;
    return lock;
}

void tern_check_locks_after(struct tern_call *call)
{
    bool taken = call->routine->kind == TERN_KIND_WAIT ||
                 (call->routine->kind == TERN_KIND_TEST && call->result.i == 0);
    struct lock *lock;

    if (!tern_check_locks_is_routine(call->routine) || !taken)
        return;
    lock = find_or_add(call->arg[0].p);
    if (!lock || (is_held(lock) && lock->site))
        return;
    lock->routine = call->routine;
    lock->site = tern_check_source_location_site(call);
    lock->released = NULL;
}

static void report_kept(const struct lock *lock)
{
    char name[200];

    tern_check_address_text_format(lock->address, name, sizeof name);
    tern_check_findings_report(NULL, FINDING_LOCK, "the lock %s is still held, taken by %s at %s",
                               name, lock->routine->name,
                               tern_check_source_location_text(lock->site));
}

void tern_check_locks_end(void)
{
    while (locks) {
        struct lock *lock = locks;

        if (is_held(lock))
            report_kept(lock);
        locks = lock->next;
        free(lock);
    }
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes what a PE waits for to its slot, and ends the job if the PE it waits for has left. */
#include "core/deadlock.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "base/log.h"
#include "base/os.h"
#include "core/job.h"
#include "core/wait.h"

/* A PE that has slept for less than this may be about to wake. */
#define STUCK_NS 300000000u

/*
 * The last operation of a PE that has left may have ended this wait already, or the wait of another
 * PE that is about to wake. So a wait has to be hopeless for this long. Between nodes the other PE
 * may first have to receive and send a message for each step of a collective, and for each it has
 * to get a core that many PEs share.
 */
#define HOPELESS_NS UINT64_C(100000000)
#define HOPELESS_NS_PER_PE UINT64_C(20000000) /* and core */

static TERN_PE_LOCAL uint64_t hopeless_ns = HOPELESS_NS;

/* If several threads sleep, the slot shows the first. */
static bool show(const char *routine)
{
    struct tern_slot *slot = tern_job.boot->slot;
    uint64_t awake = 0;

    if (!slot)
        return false;
    if (!routine) {
        tern_store_release(&slot->waiting_since, 0);
        return false;
    }
    if (!__atomic_compare_exchange_n(&slot->waiting_since, &awake, tern_os_now_ns(), false,
                                     __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
        return false;
    snprintf(slot->waiting_in, sizeof slot->waiting_in, "%s", routine);
    return true;
}

/*
 * Of a process in another namespace only the call of exit() is visible. A process that has ended
 * stays visible until its parent reads its status.
 */
static bool has_ended(const struct tern_slot *slot, int32_t pid)
{
    if (tern_load_acquire(&slot->exiting) != 0)
        return true;
    return pid > 0 && tern_job.boot->slot->pid > 0 && kill(pid, 0) != 0 && errno == ESRCH;
}

/* The PE's process ended without a failure, whether or not it finalized or even initialized. */
static bool has_left(const struct tern_boot *boot, const struct tern_slot *slot)
{
    int32_t pid = tern_load_relaxed(&slot->pid);

    if (!pid)
        return tern_load_relaxed(&boot->area->last_departed) ==
               (uint32_t)(slot - boot->area->slots);
    return has_ended(slot, pid);
}

static bool is_stuck(const struct tern_slot *slot, uint64_t now)
{
    uint64_t since = tern_load_relaxed(&slot->waiting_since);

    return since && now - since > STUCK_NS;
}

/* A member of the group that has left, or -1. PEs that this one can't observe count as present. */
static int find_left_in_group(const struct tern_boot *boot, const struct tern_pe_range *group)
{
    for (int i = 0; i < group->size; i++) {
        int pe = tern_pe_range_world(group, i);
        const struct tern_slot *slot = tern_boot_slot_of(boot, pe);

        if (slot && has_left(boot, slot))
            return pe;
    }
    return -1;
}

/* Any PE may be the one to end this wait; but if all remaining PEs wait, none will. */
static int find_left_if_all_wait(const struct tern_boot *boot, uint64_t now)
{
    struct tern_pe_range visible = tern_boot_visible(boot);
    int left = -1;

    for (int i = 0; i < visible.size; i++) {
        int pe = tern_pe_range_world(&visible, i);
        const struct tern_slot *slot = tern_boot_slot_of(boot, pe);

        if (has_left(boot, slot))
            left = pe;
        else if (!is_stuck(slot, now))
            return -1;
    }
    return left;
}

static TERN_NORETURN void end(const char *routine, const struct tern_boot *boot, int pe)
{
    uint32_t phase = tern_load_acquire(&tern_boot_slot_of(boot, pe)->phase);
    const char *missing = phase < TERN_SLOT_INITIALIZED ? "shmem_init" : "shmem_finalize";

    if (phase == TERN_SLOT_FINALIZED)
        tern_fatal(routine,
                   "PE %d has called shmem_finalize and ended, so this call can't complete: all "
                   "PEs must make the same collective calls" TERN_SEE("A hang"),
                   pe);
    tern_fatal(
        routine,
        "PE %d has ended without %s, so this call can't complete: all PEs must call %s" TERN_SEE(
            "A hang"),
        pe, missing, missing);
}

static void check(struct tern_wait *w)
{
    const struct tern_boot *boot = tern_job.boot;
    uint64_t now;
    int left;

    if (!boot->area || !tern_load_acquire(&boot->area->departed))
        return;
    now = tern_os_now_ns();
    left = w->group ? find_left_in_group(boot, w->group) : find_left_if_all_wait(boot, now);
    if (left < 0)
        w->hopeless_since = 0;
    else if (!w->hopeless_since)
        w->hopeless_since = now; /* the waiter checks its word again before the next check here */
    else if (now - w->hopeless_since > hopeless_ns)
        end(w->routine, boot, left);
}

void tern_deadlock_start(void)
{
    const struct tern_boot *boot = tern_job.boot;

    if (boot->n_nodes > 1)
        hopeless_ns += HOPELESS_NS_PER_PE * (uint64_t)(boot->machine_n_pes / tern_job.cores);
    tern_wait_hooks.show = show;
    tern_wait_hooks.check = check;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* The words of the job area by which PEs choose the one that prints. */
#include "core/dedup.h"

#include <stdint.h>
#include <unistd.h>

#include "base/atomics.h"
#include "base/log.h"

static TERN_PE_LOCAL const struct tern_boot *boot;

/* How long this PE, which prints nothing, waits for the other PE's line before it ends. */
#define OTHERS_LINE_MS 100

/* An error while PEs start is mostly that of all: see `complaint` in boot/job_area.h. */
static bool may_print_error(void)
{
    uint32_t me = (uint32_t)boot->pe + 1, who = 0;

    if (!boot->area || tern_load_relaxed(&boot->slot->phase) != TERN_SLOT_CLAIMED ||
        __atomic_compare_exchange_n(&boot->area->complaint, &who, me, false, __ATOMIC_ACQ_REL,
                                    __ATOMIC_ACQUIRE) ||
        (who & ~TERN_COMPLAINED) == me)
        return true;
    for (int i = 0; i < OTHERS_LINE_MS && !(who & TERN_COMPLAINED); i++) {
        usleep(1000);
        who = tern_load_acquire(&boot->area->complaint);
    }
    return false;
}

static void has_printed_error(void)
{
    uint32_t me = (uint32_t)boot->pe + 1;

    if (boot->area)
        __atomic_compare_exchange_n(&boot->area->complaint, &me, me | TERN_COMPLAINED, false,
                                    __ATOMIC_RELEASE, __ATOMIC_RELAXED);
}

void tern_dedup_install(const struct tern_boot *own)
{
    boot = own;
    tern_log_on_error(may_print_error, has_printed_error);
}

bool tern_dedup_warns_first(enum tern_dedup_warning warning)
{
    static TERN_PE_LOCAL uint32_t alone;
    uint32_t *warned = boot->area ? &boot->area->warned : &alone;
    uint32_t bit = UINT32_C(1) << warning;

    /* Partner: the same operation of other PEs: one of them finds the bit clear. */
    return !(__atomic_fetch_or(warned, bit, __ATOMIC_RELAXED) & bit);
}

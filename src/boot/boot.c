/* SPDX-License-Identifier: BSD-3-Clause */
/* Chooses who has started this process, and is the way to it for the rest of the library. */
#include "boot/boot.h"

#include "base/atomics.h"
#include "base/log.h"
#include "boot/join.h"
#include "boot/launcher.h"
#include "boot/misuse_hint.h"
#include "boot/oshrun.h"
#include "boot/pe_lock.h"

static TERN_PE_LOCAL struct tern_boot boot;
static TERN_PE_LOCAL bool boot_attached;
static TERN_PE_LOCAL struct tern_start_error start_error;

/* NULL: oshrun, or none. */
static TERN_PE_LOCAL const struct tern_launcher *launcher;

/* ---- before main ---- */

static const struct tern_launcher *const launchers[] = {&tern_launcher_pmi, &tern_launcher_pmix};

#define N_LAUNCHERS (sizeof launchers / sizeof launchers[0])

/* From the first message on it is clear which PE it is of. */
static void identify(void)
{
    tern_log_identify_pe("PE", boot.pe, boot.n_pes);
}

static void be_alone(void)
{
    boot = (struct tern_boot){
        .n_pes = 1,
        .machine_n_pes = 1,
        .system_n_pes = 1,
        .alone = true,
        .image_fd = -1,
        .fd = -1,
    };
}

/*
 * oshrun takes these launchers' words out of the environment of its PEs, so where they are, they
 * are newer than oshrun's.
 */
static bool find_launcher(char *const *envp, struct tern_launcher_place *place)
{
    for (size_t i = 0; i < N_LAUNCHERS; i++)
        if (launchers[i]->find(envp, place, &start_error)) {
            start_error = (struct tern_start_error){0};
            launcher = launchers[i];
            return true;
        }
    return false;
}

/* What a PE starts has the words as well, but not the place: it is a job of its own. */
static void attach_to_launcher(const struct tern_launcher_place *place)
{
    if (!tern_pe_lock_take(place->lock_key)) {
        launcher = NULL;
        return;
    }
    boot.pe = place->pe;
    boot.n_pes = place->n_pes;
    boot.shares = place->n_pes != 1;
    boot.alone = false;
    boot.exit_report = launcher->is_library ? TERN_EXIT_REPORT_EARLY : TERN_EXIT_REPORT_LAST;
}

const struct tern_boot *tern_boot_attach(char *const *envp)
{
    struct tern_launcher_place place = {0};

    if (boot_attached)
        return &boot;
    boot_attached = true;
    be_alone();
    if (find_launcher(envp, &place))
        attach_to_launcher(&place);
    else if (!tern_oshrun_attach(envp, &boot, &start_error))
        tern_misuse_hint_find(envp, &start_error);
    identify();
    return &boot;
}

#ifdef TERN_PES_ARE_THREADS
/* No slot is claimed: all threads have one pid, and who starts them numbers them. */
void tern_boot_be_thread(int pe, int n_pes, int fd, void *object)
{
    struct tern_job_area *area = object;

    boot = (struct tern_boot){
        .pe = pe,
        .n_pes = n_pes,
        .machine_n_pes = n_pes,
        .system_n_pes = n_pes,
        .shares = true,
        .image_fd = fd,
        .fd = fd,
        .offset = tern_job_head_bytes((uint32_t)n_pes, (uint32_t)n_pes),
        .area = area,
        .slot = &area->slots[pe],
        .object = object,
    };
    boot_attached = true;
    identify();
}
#endif

/* ---- at the first init ---- */

const struct tern_start_error *tern_boot_start_error(void)
{
    return &start_error;
}

uint64_t tern_boot_find_out(uint64_t *word, uint64_t (*find_out)(void))
{
    uint64_t known = word ? tern_load_acquire(word) : 0, mine;

    if (known)
        return known;
    mine = find_out();
    if (word &&
        !__atomic_compare_exchange_n(word, &known, mine, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
        return known;
    return mine;
}

int tern_boot_join(const struct tern_boot_request *request)
{
    int r;

    if (!launcher)
        return tern_oshrun_lay_out(&boot, request);
    r = tern_join_meet(&boot, launcher, request);
    identify();
    return r;
}

int tern_boot_node_of(int pe)
{
    for (int j = 0; j < boot.n_nodes; j++)
        if (tern_pe_range_find(&boot.nodes[j], pe) >= 0)
            return j;
    return -1;
}

int tern_boot_exchange(const void *card, size_t bytes)
{
    return launcher ? tern_join_exchange(&boot, card, bytes)
                    : tern_oshrun_exchange(&boot, card, bytes);
}

const void *tern_boot_card(int pe)
{
    return launcher ? tern_join_card(pe) : tern_oshrun_card(&boot, pe);
}

int tern_boot_open_image(int node_pe, uint64_t *offset)
{
    const struct tern_slot *slot = tern_boot_slot(&boot, node_pe);

    *offset = 0;
    return launcher ? tern_join_open_image(node_pe, slot)
                    : tern_oshrun_open_image(&boot, slot, offset);
}

/* ---- what others see of this PE ---- */

void tern_boot_set_phase(enum tern_slot_phase phase)
{
    if (boot.slot)
        tern_store_release(&boot.slot->phase, (uint32_t)phase);
}

void tern_boot_set_told(void)
{
    if (boot.slot)
        tern_store_release(&boot.slot->told, 1);
}

/* For PEs that wait for this one; only oshrun notes by itself who has left. */
static void note_departure(void)
{
    tern_store_relaxed(&boot.area->last_departed, (uint32_t)(boot.slot - boot.area->slots));
    tern_fetch_add(&boot.area->departed, 1);
}

void tern_boot_vacate_slot(int status)
{
    if (!boot.slot)
        return;
    tern_store_release(&boot.slot->exiting, TERN_EXITING | ((uint32_t)status & 0xff));
    if (launcher && status == 0)
        note_departure();
    if (launcher || tern_load_relaxed(&boot.slot->phase) != TERN_SLOT_CLAIMED)
        return;
    /* It has not used OpenSHMEM: a later program of the same wrapper may be the PE. */
    tern_store_release(&boot.slot->phase, TERN_SLOT_FREE);
    tern_store_release(&boot.slot->pid, 0);
}

/* ---- the launcher ---- */

void tern_boot_leave(void)
{
    launcher->leave();
}

void tern_boot_abort(int status)
{
    launcher->abort(status);
}

bool tern_boot_abort_keeps(int status)
{
    return launcher->abort_keeps(status);
}

int tern_boot_watch_fd(void)
{
    return launcher ? launcher->watch() : -1; /* oshrun's PEs hang on its lifeline */
}

void tern_boot_forget(void)
{
    if (boot.forked)
        return;
    tern_log_identify_pe("child of PE", boot.pe, boot.n_pes);
    tern_pe_lock_forget();
    be_alone();
    launcher = NULL;
    boot.forked = true;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Chooses the table of how this process was started, and calls through it. */
#include "boot/boot.h"

#include "base/atomics.h"
#include "base/log.h"
#include "boot/misuse_hint.h"
#include "boot/nodes.h"
#include "boot/ops.h"

static TERN_PE_LOCAL struct tern_boot boot;
static TERN_PE_LOCAL bool boot_attached;
static TERN_PE_LOCAL struct tern_start_error start_error;
static TERN_PE_LOCAL const struct tern_boot_ops *ops = &tern_single_ops;

/* ---- before main ---- */

/* In this order; the first table that knows the role of this process counts. */
static const struct tern_boot_ops *const launched[] = {&tern_external_ops, &tern_oshrun_ops};

#define N_LAUNCHED (sizeof launched / sizeof launched[0])

/* From now on messages begin with this PE's number. */
static void identify(void)
{
    tern_log_identify_pe("PE", boot.pe, boot.n_pes);
}

static void be_single(void)
{
    ops = &tern_single_ops;
    ops->attach(NULL, &boot, &start_error);
}

const struct tern_boot *tern_boot_attach(char *const *envp)
{
    enum tern_role role = TERN_ROLE_UNKNOWN;

    if (boot_attached)
        return &boot;
    boot_attached = true;
    be_single();
    for (size_t i = 0; role == TERN_ROLE_UNKNOWN && i < N_LAUNCHED; i++) {
        role = launched[i]->attach(envp, &boot, &start_error);
        if (role == TERN_ROLE_PE)
            ops = launched[i];
    }
    if (role == TERN_ROLE_UNKNOWN)
        tern_misuse_hint_find(envp, &start_error);
    identify();
    return &boot;
}

#ifdef TERN_PES_ARE_THREADS
/* Claims no slot: all threads have one process number, and the caller numbers the PEs. */
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
    ops = &tern_oshrun_ops;
    boot_attached = true;
    identify();
}
#endif

/* ---- at the first init ---- */

const struct tern_start_error *tern_boot_start_error(void)
{
    return &start_error;
}

int tern_boot_join(const struct tern_boot_request *request)
{
    int r = ops->join(&boot, request);

    identify();
    return r;
}

int tern_boot_node_of(int pe)
{
    return tern_nodes_find(boot.nodes, boot.n_nodes, pe);
}

int tern_boot_exchange(const void *card, size_t bytes)
{
    return ops->exchange(&boot, card, bytes);
}

const void *tern_boot_card(int pe)
{
    return ops->card(&boot, pe);
}

int tern_boot_open_image(int node_pe, uint64_t *offset)
{
    return ops->open_image(&boot, node_pe, offset);
}

/* ---- what others see of this PE ---- */

void tern_boot_set_phase(enum tern_slot_phase phase)
{
    if (boot.slot)
        tern_store_release(&boot.slot->phase, (uint32_t)phase);
}

void tern_boot_set_reported(void)
{
    if (boot.slot)
        tern_store_release(&boot.slot->reported, 1);
}

void tern_boot_vacate_slot(int status)
{
    if (boot.slot)
        ops->vacate(&boot, status);
}

/* ---- the launcher ---- */

int tern_boot_watch_fd(void)
{
    return ops->watch();
}

void tern_boot_leave(void)
{
    ops->leave();
}

void tern_boot_abort(int status)
{
    ops->abort(status);
}

bool tern_boot_abort_keeps(int status)
{
    return ops->abort_keeps(status);
}

void tern_boot_forget(void)
{
    if (boot.forked)
        return;
    tern_log_identify_pe("child of PE", boot.pe, boot.n_pes);
    ops->forget();
    be_single();
    boot.forked = true;
}

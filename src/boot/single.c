/* SPDX-License-Identifier: BSD-3-Clause */
/* A process that no launcher has started: a job of one PE. */
#include <errno.h>
#include <string.h>

#include "base/compiler.h"
#include "boot/machine.h"
#include "boot/ops.h"

static enum tern_role attach(char *const *envp, struct tern_boot *boot,
                             struct tern_start_error *start_error)
{
    *boot = (struct tern_boot){
        .n_pes = 1,
        .machine_n_pes = 1,
        .system_n_pes = 1,
        .alone = true,
        .image_fd = -1,
        .fd = -1,
    };
    return TERN_ROLE_PE;
}

static TERN_PE_LOCAL struct tern_boot_card own_card;

static int exchange(const struct tern_boot *boot, const void *card, size_t bytes)
{
    memcpy(&own_card, card, bytes);
    return 0;
}

static const void *card_of(const struct tern_boot *boot, int pe)
{
    return &own_card;
}

/* There is no peer. */
static int open_image(const struct tern_boot *boot, int node_pe, uint64_t *offset)
{
    return -ENOENT;
}

/* There is no launcher. */
static int watch(void)
{
    return -1;
}

/* Nor is there a slot. */
static void vacate(const struct tern_boot *boot, int status)
{
}

static void leave(void)
{
}

static void abort_job(int status)
{
}

static bool abort_keeps(int status)
{
    return true; /* the job ends with its only PE */
}

static void forget(void)
{
}

const struct tern_boot_ops tern_single_ops = {
    .attach = attach,
    .join = tern_machine_lay_out,
    .exchange = exchange,
    .card = card_of,
    .open_image = open_image,
    .watch = watch,
    .vacate = vacate,
    .leave = leave,
    .abort = abort_job,
    .abort_keeps = abort_keeps,
    .forget = forget,
};

/* SPDX-License-Identifier: BSD-3-Clause */
/* Joins the job of oshrun, whose PEs inherit the object that they share. */
#ifndef TERN_BOOT_OSHRUN_H
#define TERN_BOOT_OSHRUN_H

#include "boot/boot.h"
#include "boot/start_error.h"

/* Before main: claims the slot that the environment names, and fills in `boot`. */
bool tern_oshrun_attach(char *const *envp, struct tern_boot *boot,
                        struct tern_start_error *start_error);

/* The job's PEs, all of this machine, as one node or split. 0, or -errno after a message. */
int tern_oshrun_lay_out(struct tern_boot *boot, const struct tern_boot_request *request);

/* See tern_boot_exchange(), tern_boot_card() and tern_boot_open_image(). */
int tern_oshrun_exchange(const struct tern_boot *boot, const void *card, size_t bytes);
const void *tern_oshrun_card(const struct tern_boot *boot, int pe);
int tern_oshrun_open_image(const struct tern_boot *boot, const struct tern_slot *slot,
                           uint64_t *offset);

#endif

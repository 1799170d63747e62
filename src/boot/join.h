/* SPDX-License-Identifier: BSD-3-Clause */
/* Joins the job of a launcher that knows nothing of Tern, and shares memory with the PEs nearby. */
#ifndef TERN_BOOT_JOIN_H
#define TERN_BOOT_JOIN_H

#include "boot/boot.h"
#include "boot/launcher.h"

/*
 * On all PEs: each tells the launcher where it is and what it wishes; the PEs of a machine find
 * each other. Fills in `boot`. 0, or -errno after the reason has been printed.
 */
int tern_join_meet(struct tern_boot *boot, const struct tern_launcher *launcher,
                   const struct tern_boot_request *request);

/* See tern_boot_exchange(), tern_boot_card() and tern_boot_open_image(). */
int tern_join_exchange(const struct tern_boot *boot, const void *card, size_t bytes);
const void *tern_join_card(int pe);
int tern_join_open_image(int node_pe, const struct tern_slot *slot);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* What the PEs of one machine settle among themselves. */
#ifndef TERN_BOOT_MACHINE_H
#define TERN_BOOT_MACHINE_H

#include <stdint.h>

#include "boot/boot.h"

/*
 * The number that the first PE of the machine to get here finds out, which is not 0; the others
 * take it over. word is in the job area; NULL: there is no other PE.
 */
uint64_t tern_machine_find_out(uint64_t *word, uint64_t (*find_out)(void));

/* Fills in "node" of a job that is all on this machine. 0, or -errno after a message. */
int tern_machine_lay_out(struct tern_boot *boot, const struct tern_boot_request *request);

#endif

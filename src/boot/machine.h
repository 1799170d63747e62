/* SPDX-License-Identifier: BSD-3-Clause */
/* What the PEs of one machine determine together. */
#ifndef TERN_BOOT_MACHINE_H
#define TERN_BOOT_MACHINE_H

#include <stdint.h>

#include "boot/boot.h"

/*
 * Stores the result of find_out(), which is not 0, in *word, unless another PE has done so. Returns
 * the stored number, which is the same on all PEs. word is in the job area; NULL: there is no other
 * PE.
 */
uint64_t tern_machine_find_out(uint64_t *word, uint64_t (*find_out)(void));

/*
 * For a job whose PEs are all on this machine: fills in the fields under "node". 0, or -errno after
 * a message.
 */
int tern_machine_lay_out(struct tern_boot *boot, const struct tern_boot_request *request);

#endif

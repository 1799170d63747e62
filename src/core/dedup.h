/* SPDX-License-Identifier: BSD-3-Clause */
/* Chooses the one PE of a machine that prints a message which several of them would print. */
#ifndef TERN_CORE_DEDUP_H
#define TERN_CORE_DEDUP_H

#include <stdbool.h>

#include "boot/boot.h"

/* Before main and at each init: from now on one PE prints the error that keeps all from starting.
 */
void tern_dedup_install(const struct tern_boot *boot);

/* Mistakes that the program survives: the library warns of each once in a job. */
enum tern_dedup_warning {
    TERN_WARN_NO_ROOM,    /* an allocation returns NULL */
    TERN_WARN_NO_MEMORY,  /* a context or a team is not made for want of memory */
    TERN_WARN_ALIGNMENT,  /* one was asked for that is no power of two, or too small or large */
    TERN_WARN_NOT_IN_SET, /* a PE calls a collective of an active set that it is not in */
    TERN_WARN_FINALIZED,  /* a finalize without an init */
};

/*
 * True for the first caller of this machine, which prints the warning. Where all PEs make the
 * mistake together, only PE 0 calls this: a job of several machines then prints one line as well.
 */
bool tern_dedup_warns_first(enum tern_dedup_warning warning);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* Phases of the program, which it names by shmem_pcontrol(). Callers hold the tables' lock. */
#ifndef TERN_TOOLS_PROFILE_PHASES_H
#define TERN_TOOLS_PROFILE_PHASES_H

#include "tools/profile/record.h"

/* Begins a phase, and ends the one before. name: NULL or empty: no phase begins. */
void tern_phases_begin(struct tern_profile *profile, const char *name, uint64_t now);

/* Adds time and calls of the main thread to the current phase, if there is one. */
void tern_phases_add(struct tern_profile *profile, enum tern_activity activity, uint64_t ns,
                     uint64_t calls, uint64_t bytes);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* How long the main thread ran, and how long it was ready to run but had no core. */
#ifndef TERN_TOOLS_PROFILE_READY_H
#define TERN_TOOLS_PROFILE_READY_H

#include "tools/profile/record.h"

/* To be called by the main thread, when it has begun. */
void tern_ready_begin(struct tern_profile *profile);

/* Notes the times since then. */
void tern_ready_note(struct tern_profile *profile);

#endif

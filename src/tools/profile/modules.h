/* SPDX-License-Identifier: BSD-3-Clause */
/* The list of loaded files, by which tern-profile translates addresses. */
#ifndef TERN_TOOLS_PROFILE_MODULES_H
#define TERN_TOOLS_PROFILE_MODULES_H

#include "tools/profile/record.h"

/* Adds the files that were loaded since the last call. Not for signal handlers. */
void tern_modules_update(struct tern_profile *profile);

/* The index of the file with this address, or -1. */
int tern_modules_find(const struct tern_profile *profile, uint64_t address);

#endif

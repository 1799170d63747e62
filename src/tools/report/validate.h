/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks the file of a PE before anything of it is used: it may be cut off, damaged or foreign. */
#ifndef TERN_TOOLS_REPORT_VALIDATE_H
#define TERN_TOOLS_REPORT_VALIDATE_H

#include <stddef.h>

#include "tools/profile/record.h"

/*
 * Returns NULL if the file's contents are a profile of the PE: then its counts fit its tables, its
 * indices name entries, its texts end, and its times can be added without overflow. Otherwise
 * returns what is wrong. `profile` has `bytes` bytes, at least those of struct tern_profile.
 */
const char *tern_report_find_damage(const struct tern_profile *profile, size_t bytes, uint32_t pe);

#endif

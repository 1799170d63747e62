/* SPDX-License-Identifier: BSD-3-Clause */
/* Settings: environment variables, described in one table, read once, refused when malformed. */
#ifndef TERN_BASE_SETTINGS_H
#define TERN_BASE_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define TERN_SETTING_TYPE_FLAG bool
#define TERN_SETTING_TYPE_BOOL bool
#define TERN_SETTING_TYPE_SIZE uint64_t
#define TERN_SETTING_TYPE_COUNT long

/* The values in force: a field for each line of settings.def. An unset SIZE is 0. */
struct tern_settings {
#define SETTING(field, kind, name, others, by_default, meaning) TERN_SETTING_TYPE_##kind field;
#include "base/settings.def"
#undef SETTING
};

/*
 * Reads the environment. 0, or -EINVAL with a text that names the variable, its value and what is
 * expected; the values are then the defaults.
 */
int tern_settings_load(char *error, size_t error_bytes);

const struct tern_settings *tern_settings(void);

/* The table for people, with the values in force and the variables that they come from. */
void tern_settings_print(FILE *out);

/* The table as a page of documentation. */
void tern_settings_print_markdown(FILE *out);

/*
 * A number of bytes as the standard writes it: digits with an optional fraction, then k, m, g or t
 * in either case for powers of 1024; what follows that letter is ignored. Rounded up. 0, or
 * -EINVAL.
 */
int tern_settings_parse_size(const char *text, uint64_t *bytes);

/* on, off, yes, no, true, false, 1, 0 in any case. 0, or -EINVAL. */
int tern_settings_parse_bool(const char *text, bool *value);

#endif

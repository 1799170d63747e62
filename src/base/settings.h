/* SPDX-License-Identifier: BSD-3-Clause */
/* Settings: environment variables of one table, read once; malformed values are refused. */
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
#define TERN_SETTING_TYPE_SEED uint64_t
#define TERN_SETTING_TYPE_TEXT const char *

/*
 * The values in force: a field for each line of settings.def. An unset SIZE or SEED is 0, a COUNT
 * -1, a TEXT NULL.
 */
struct tern_settings {
#define SETTING(field, kind, name, others, by_default, meaning) TERN_SETTING_TYPE_##kind field;
#include "base/settings.def"
#undef SETTING
};

/*
 * Reads the environment. 0; or -EINVAL, with a text that names the variable, its value and what is
 * expected, and all values are the defaults.
 */
int tern_settings_load(char *error, size_t error_bytes);

const struct tern_settings *tern_settings(void);

/*
 * Warns of variables whose names are nearly those of settings. Prints a debug message for others
 * that begin like settings, which may be those of other libraries.
 */
void tern_settings_check_names(void);

/* Prints the table, with the values in force and the variables that they come from. */
void tern_settings_print(FILE *out);

/* ---- for programs that print the table in other forms ---- */

enum tern_setting_kind {
    TERN_SETTING_FLAG,
    TERN_SETTING_BOOL,
    TERN_SETTING_SIZE,
    TERN_SETTING_COUNT,
    TERN_SETTING_SEED,
    TERN_SETTING_TEXT,
};

/* Room for the longest of all names, with the null that ends it. */
#define TERN_SETTING_NAME_BYTES 32

/* A line of settings.def. */
struct tern_setting {
    const char *name;
    const char *others;
    const char *by_default;
    const char *meaning;
    enum tern_setting_kind kind;
    size_t offset; /* of the field in struct tern_settings */
};

const struct tern_setting *tern_settings_table(size_t *n);

/* Describes values of the kind, as in "expected a whole number". */
const char *tern_setting_expects(enum tern_setting_kind kind);

/* Writes the value in force as text; returns the variable that it comes from, "" for a default. */
const char *tern_setting_show(const struct tern_setting *setting, char *text, size_t text_bytes);

/* Prints words in lines of 80 columns at most, each indented. */
void tern_settings_print_wrapped(FILE *out, int indent, const char *words);

/* ---- parsers ---- */

/*
 * Reads a number of bytes in the standard's form: digits with an optional fraction, then k, m, g or
 * t in either case for powers of 1024. Text after that letter is ignored. Rounds up. 0, -EINVAL, or
 * -ERANGE if the number exceeds 64 bits.
 */
int tern_settings_parse_size(const char *text, uint64_t *bytes);

/* Reads on, off, yes, no, true, false, 1 or 0 in any case. 0, or -EINVAL. */
int tern_settings_parse_bool(const char *text, bool *value);

#endif

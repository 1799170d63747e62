/* SPDX-License-Identifier: BSD-3-Clause */
/* Parses and prints the settings of settings.def. */
#include "base/settings.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "base/compiler.h"
#include "base/environment.h"
#include "base/log.h"
#include "base/parse_uint.h"
#include "base/tool_protocol.h"

static const struct tern_setting table[] = {
#define SETTING(field, kind, name, others, by_default, meaning)                                    \
    {name, others, by_default, meaning, TERN_SETTING_##kind, offsetof(struct tern_settings, field)},
#include "base/settings.def"
#undef SETTING
};

/* tests/unit/settings.c checks the lengths of the other names. */
#define SETTING(field, kind, name, others, by_default, meaning)                                    \
    _Static_assert(sizeof name <= TERN_SETTING_NAME_BYTES, "the name of " #field " is too long");
#include "base/settings.def"
#undef SETTING

#define N_SETTINGS (sizeof table / sizeof table[0])

static TERN_PE_LOCAL struct tern_settings settings;

/* The variable that each value is from; "" for a default. */
static TERN_PE_LOCAL char origins[N_SETTINGS][TERN_SETTING_NAME_BYTES];

const struct tern_settings *tern_settings(void)
{
    return &settings;
}

const struct tern_setting *tern_settings_table(size_t *n)
{
    *n = N_SETTINGS;
    return table;
}

/* ---- kinds ---- */

/*
 * The most decimals of a fraction that count by their value. A fraction of n >= 40 decimals, times
 * 2^40, is a multiple of 2^40 / 10^n, and so is 1. Further decimals add less than the distance to
 * the next whole number: for rounding up it matters only whether there are any.
 */
#define DECIMALS 40

/* floor(0.digits * 2^shift); *rest becomes true if the product is no whole number. */
static uint64_t scale_fraction(const char *digits, size_t n, unsigned shift, bool *rest)
{
    unsigned char decimals[DECIMALS];
    size_t n_decimals = n < DECIMALS ? n : DECIMALS;
    uint64_t whole = 0;

    for (size_t i = 0; i < n_decimals; i++)
        decimals[i] = (unsigned char)(digits[i] - '0');
    while (shift-- > 0) { /* double it: the carry goes to `whole` */
        unsigned carry = 0;

        for (size_t i = n_decimals; i-- > 0;) {
            unsigned d = decimals[i] * 2u + carry;

            carry = d / 10;
            decimals[i] = (unsigned char)(d % 10);
        }
        whole = whole * 2 + carry;
    }
    for (size_t i = 0; i < n_decimals; i++)
        *rest |= decimals[i] != 0;
    for (size_t i = n_decimals; i < n; i++)
        *rest |= digits[i] != '0';
    return whole;
}

/* ceil(digits.fraction * 2^shift), exactly; 0, or -ERANGE. */
static int scale(const char *digits, size_t n_digits, const char *fraction, size_t n_fraction,
                 unsigned shift, uint64_t *bytes)
{
    uint64_t whole = 0;
    bool rest = false;

    for (size_t i = 0; i < n_digits; i++)
        if (__builtin_mul_overflow(whole, 10, &whole) ||
            __builtin_add_overflow(whole, (uint64_t)(digits[i] - '0'), &whole))
            return -ERANGE;
    if (__builtin_mul_overflow(whole, UINT64_C(1) << shift, &whole))
        return -ERANGE;
    whole += scale_fraction(fraction, n_fraction, shift, &rest); /* it is less than 2^shift */
    return __builtin_add_overflow(whole, (uint64_t)rest, bytes) ? -ERANGE : 0;
}

int tern_settings_parse_size(const char *text, uint64_t *bytes)
{
    static const char letters[] = "kmgt";
    const char *digits, *fraction = "", *letter;
    size_t n_digits, n_fraction = 0;
    unsigned shift = 0;

    while (isspace((unsigned char)*text))
        text++;
    digits = text;
    n_digits = strspn(digits, "0123456789");
    text += n_digits;
    if (*text == '.') {
        fraction = ++text;
        n_fraction = strspn(fraction, "0123456789");
        text += n_fraction;
    }
    if (!n_digits && !n_fraction)
        return -EINVAL;
    if (*text) {
        letter = strchr(letters, tolower((unsigned char)*text));
        if (!letter)
            return -EINVAL;
        shift = 10 * (unsigned)(letter - letters + 1);
    }
    return scale(digits, n_digits, fraction, n_fraction, shift, bytes);
}

int tern_settings_parse_bool(const char *text, bool *value)
{
    static const char *const words[] = {"off", "on", "no", "yes", "false", "true", "0", "1"};

    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strcasecmp(text, words[i]) == 0) {
            *value = i % 2 != 0;
            return 0;
        }
    return -EINVAL;
}

static int parse_count(const char *text, long *value)
{
    uint64_t whole;
    int r = tern_parse_uint(text, INT32_MAX, &whole);

    if (!r)
        *value = (long)whole;
    return r;
}

static int parse(const struct tern_setting *s, const char *text, struct tern_settings *into)
{
    void *field = (char *)into + s->offset;
    uint64_t bytes;
    int r;

    switch (s->kind) {
    case TERN_SETTING_FLAG:
        *(bool *)field = true;
        return 0;
    case TERN_SETTING_BOOL:
        return tern_settings_parse_bool(text, field);
    case TERN_SETTING_SIZE:
        /* 0 means "unset"; a heap of 0 bytes becomes one of the smallest size. */
        r = tern_settings_parse_size(text, &bytes);
        if (!r)
            *(uint64_t *)field = bytes ? bytes : 1;
        return r;
    case TERN_SETTING_COUNT:
        return parse_count(text, field);
    case TERN_SETTING_SEED:
        return tern_parse_uint(text, UINT64_MAX, field);
    case TERN_SETTING_TEXT:
        *(const char **)field = *text ? text : NULL; /* a pointer into the environment */
        return 0;
    }
    return -EINVAL;
}

const char *tern_setting_expects(enum tern_setting_kind kind)
{
    switch (kind) {
    case TERN_SETTING_BOOL:
        return "on or off";
    case TERN_SETTING_SIZE:
        return "a number of bytes such as 1048576, 512K, 64M or 1.5G";
    case TERN_SETTING_COUNT:
        return "a whole number";
    case TERN_SETTING_SEED:
        return TERN_CHAOS_EXPECTS;
    case TERN_SETTING_TEXT:
    case TERN_SETTING_FLAG:
        break;
    }
    return "anything";
}

/* ---- reading ---- */

static void set_defaults(struct tern_settings *into)
{
    *into = (struct tern_settings){0};
    for (size_t i = 0; i < N_SETTINGS; i++) {
        void *field = (char *)into + table[i].offset;

        if (table[i].kind == TERN_SETTING_COUNT)
            *(long *)field = -1;
        else if (table[i].kind == TERN_SETTING_BOOL)
            tern_settings_parse_bool(table[i].by_default, field);
    }
}

/* One of a setting's names: the first `length` characters of a text. */
struct name {
    const char *text;
    size_t length;
};

/* Steps to the setting's next name; NULL: to its first one. False after the last one. */
static bool next_name(const struct tern_setting *s, struct name *name)
{
    if (!name->text) {
        *name = (struct name){s->name, strlen(s->name)};
        return true;
    }
    name->text = name->text == s->name ? s->others : name->text + name->length;
    name->text += *name->text == ' ';
    name->length = strcspn(name->text, " ");
    return name->length > 0;
}

/* The value of the first of the setting's names that is set, with that name; or NULL and "". */
static const char *find(const struct tern_setting *s, char origin[TERN_SETTING_NAME_BYTES])
{
    struct name name = {0};

    while (next_name(s, &name)) {
        const char *text = tern_environment_find(environ, name.text, name.length);

        if (text) {
            snprintf(origin, TERN_SETTING_NAME_BYTES, "%.*s", (int)name.length, name.text);
            return text;
        }
    }
    *origin = '\0';
    return NULL;
}

static void explain(const struct tern_setting *s, const char *name, const char *text, int problem,
                    char *error, size_t error_bytes)
{
    if (problem == -ERANGE)
        snprintf(error, error_bytes, "%s is \"%.100s\": that is too large", name, text);
    else
        snprintf(error, error_bytes, "%s is \"%.100s\": expected %s", name, text,
                 tern_setting_expects(s->kind));
}

int tern_settings_load(char *error, size_t error_bytes)
{
    struct tern_settings fresh;

    set_defaults(&fresh);
    settings = fresh;
    for (size_t i = 0; i < N_SETTINGS; i++) {
        const char *text = find(&table[i], origins[i]);
        int r = text ? parse(&table[i], text, &fresh) : 0;

        if (r) {
            explain(&table[i], origins[i], text, r, error, error_bytes);
            memset(origins, 0, sizeof origins);
            return -EINVAL;
        }
    }
    settings = fresh;
    return 0;
}

/* ---- names that are nearly right ---- */

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* The edit distance between a and b, a setting's name; upper and lower case are equal. */
static size_t distance(struct name a, struct name b)
{
    size_t row[TERN_SETTING_NAME_BYTES]; /* row[j]: to the first j letters of b */

    for (size_t j = 0; j <= b.length; j++)
        row[j] = j;
    for (size_t i = 0; i < a.length; i++) {
        size_t diagonal = row[0];

        row[0] = i + 1;
        for (size_t j = 1; j <= b.length; j++) {
            bool same = toupper((unsigned char)a.text[i]) == toupper((unsigned char)b.text[j - 1]);
            size_t change = diagonal + !same;

            diagonal = row[j];
            row[j] = least(change, least(row[j - 1], row[j]) + 1);
        }
    }
    return row[b.length];
}

/* The setting's name that is nearest to a variable's, with the distance. */
static size_t nearest(struct name variable, struct name *name)
{
    size_t best = SIZE_MAX;

    for (size_t i = 0; i < N_SETTINGS; i++) {
        struct name candidate = {0};

        while (next_name(&table[i], &candidate)) {
            size_t d = distance(variable, candidate);

            if (d < best) {
                best = d;
                *name = candidate;
            }
        }
    }
    return best;
}

void tern_settings_check_names(void)
{
    for (char **e = environ; e && *e; e++) {
        struct name variable = {*e, strcspn(*e, "=")}, name = {0};
        size_t d;

        if (strncasecmp(*e, "SHMEM_", 6) != 0 && strncasecmp(*e, "SMA_", 4) != 0)
            continue;
        d = nearest(variable, &name);
        if (d == 0 && strncmp(*e, name.text, name.length) == 0)
            continue;
        if (d <= 2)
            tern_warn("%.*s is set, but is not a setting: perhaps %.*s is meant",
                      (int)variable.length, *e, (int)name.length, name.text);
        else
            tern_debug("%.*s is set, but is not a setting of Tern", (int)variable.length, *e);
    }
}

/* ---- showing ---- */

/* As short as possible without loss: 65536 as 64K. */
static void show_size(uint64_t bytes, char *text, size_t text_bytes)
{
    static const char letters[][2] = {"", "K", "M", "G", "T"};
    size_t i = 0;

    while (i < 4 && bytes && bytes % 1024 == 0) {
        bytes /= 1024;
        i++;
    }
    snprintf(text, text_bytes, "%llu%s", (unsigned long long)bytes, letters[i]);
}

const char *tern_setting_show(const struct tern_setting *s, char *text, size_t text_bytes)
{
    const void *field = (const char *)&settings + s->offset;
    const char *origin = origins[s - table];

    if (!*origin)
        snprintf(text, text_bytes, "%s", s->by_default);
    else if (s->kind == TERN_SETTING_SIZE)
        show_size(*(const uint64_t *)field, text, text_bytes);
    else if (s->kind == TERN_SETTING_COUNT)
        snprintf(text, text_bytes, "%ld", *(const long *)field);
    else if (s->kind == TERN_SETTING_SEED)
        snprintf(text, text_bytes, "%llu", (unsigned long long)*(const uint64_t *)field);
    else if (s->kind == TERN_SETTING_BOOL)
        snprintf(text, text_bytes, "%s", *(const bool *)field ? "on" : "off");
    else if (s->kind == TERN_SETTING_TEXT && *(const char *const *)field)
        snprintf(text, text_bytes, "%s", *(const char *const *)field);
    else
        snprintf(text, text_bytes, "set");
    return origin;
}

void tern_settings_print_wrapped(FILE *out, int indent, const char *words)
{
    int column = 0;

    while (*words) {
        int n = (int)strcspn(words, " ");

        if (column + 1 + n > 80) {
            fputc('\n', out);
            column = 0;
        }
        column += fprintf(out, "%*s%.*s", column ? 1 : indent, "", n, words);
        words += n + (words[n] == ' ');
    }
    fputc('\n', out);
}

void tern_settings_print(FILE *out)
{
    char text[32], names[192];

    for (size_t i = 0; i < N_SETTINGS; i++) {
        const char *origin = tern_setting_show(&table[i], text, sizeof text);

        fprintf(out, "%s: %s", table[i].name, text);
        if (*origin && strcmp(origin, table[i].name) != 0)
            fprintf(out, " (from %s)", origin);
        fputc('\n', out);
        tern_settings_print_wrapped(out, 4, table[i].meaning);
        fprintf(out, "    Value: %s\n", tern_setting_expects(table[i].kind));
        snprintf(names, sizeof names, "Other names (lower precedence): %s", table[i].others);
        if (*table[i].others)
            tern_settings_print_wrapped(out, 4, names);
    }
}

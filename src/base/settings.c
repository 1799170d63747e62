/* SPDX-License-Identifier: BSD-3-Clause */
/* Parses and prints the settings of settings.def. */
#include "base/settings.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/compiler.h"

enum kind { FLAG, BOOL, SIZE, COUNT };

struct setting {
    const char *name;
    const char *others;
    const char *by_default;
    const char *meaning;
    enum kind kind;
    size_t offset; /* of the field in struct tern_settings */
};

static const struct setting table[] = {
#define SETTING(field, kind, name, others, by_default, meaning)                                    \
    {name, others, by_default, meaning, kind, offsetof(struct tern_settings, field)},
#include "base/settings.def"
#undef SETTING
};

#define N_SETTINGS (sizeof table / sizeof table[0])

static TERN_PE_LOCAL struct tern_settings settings;

/* The variable that each value came from, "" for a default. */
static TERN_PE_LOCAL char origins[N_SETTINGS][32];

const struct tern_settings *tern_settings(void)
{
    return &settings;
}

/* ---- kinds ---- */

/*
 * bytes = ceil(digits.fraction * 2^shift) without rounding error: the integer part is shifted, the
 * fraction's decimal digits are doubled `shift` times, carrying into the result.
 */
static int scale(const char *digits, size_t n_digits, const char *fraction, size_t n_fraction,
                 unsigned shift, uint64_t *bytes)
{
    unsigned char decimals[32];
    uint64_t whole = 0, part = 0;
    bool rest = false;

    for (size_t i = 0; i < n_digits; i++)
        if (__builtin_mul_overflow(whole, 10, &whole) ||
            __builtin_add_overflow(whole, (uint64_t)(digits[i] - '0'), &whole))
            return -EINVAL;
    if (shift && whole >> (64 - shift))
        return -EINVAL;
    for (size_t i = sizeof decimals; i < n_fraction; i++) /* beyond 2^-64: only whether it is 0 */
        rest |= fraction[i] != '0';
    if (n_fraction > sizeof decimals)
        n_fraction = sizeof decimals;
    for (size_t i = 0; i < n_fraction; i++)
        decimals[i] = (unsigned char)(fraction[i] - '0');
    for (unsigned bit = 0; bit < shift; bit++) {
        unsigned carry = 0;

        for (size_t i = n_fraction; i-- > 0;) {
            unsigned d = decimals[i] * 2u + carry;

            carry = d / 10;
            decimals[i] = (unsigned char)(d % 10);
        }
        part = part * 2 + carry;
    }
    for (size_t i = 0; i < n_fraction; i++)
        rest |= decimals[i] != 0;
    if (__builtin_add_overflow(whole << shift, part, bytes) ||
        __builtin_add_overflow(*bytes, (uint64_t)rest, bytes))
        return -EINVAL;
    return 0;
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
    char *end;

    if (!isdigit((unsigned char)*text))
        return -EINVAL;
    errno = 0;
    *value = strtol(text, &end, 10);
    return *end || errno ? -EINVAL : 0;
}

static int parse(const struct setting *s, const char *text, struct tern_settings *into)
{
    void *field = (char *)into + s->offset;
    uint64_t bytes;

    switch (s->kind) {
    case FLAG:
        *(bool *)field = true;
        return 0;
    case BOOL:
        return tern_settings_parse_bool(text, field);
    case SIZE:
        /* 0 stands for "unset"; a heap of no bytes is a heap of as few as there can be. */
        if (tern_settings_parse_size(text, &bytes) != 0)
            return -EINVAL;
        *(uint64_t *)field = bytes ? bytes : 1;
        return 0;
    case COUNT:
        return parse_count(text, field);
    }
    return -EINVAL;
}

static const char *expected(enum kind kind)
{
    switch (kind) {
    case BOOL:
        return "on or off";
    case SIZE:
        return "a number of bytes such as 1048576, 512K, 64M or 1.5G";
    case COUNT:
        return "a whole number";
    case FLAG:
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

        if (table[i].kind == COUNT)
            *(long *)field = -1;
        else if (table[i].kind == BOOL)
            tern_settings_parse_bool(table[i].by_default, field);
    }
}

/* The first of the setting's names that is set; copies the name to origin. */
static const char *find(const struct setting *s, char *origin, size_t origin_bytes)
{
    const char *text = getenv(s->name), *other = s->others;

    snprintf(origin, origin_bytes, "%s", s->name);
    while (!text && *other) {
        size_t n = strcspn(other, " ");

        snprintf(origin, origin_bytes, "%.*s", (int)n, other);
        text = getenv(origin);
        other += n + (other[n] == ' ');
    }
    if (!text)
        origin[0] = '\0';
    return text;
}

int tern_settings_load(char *error, size_t error_bytes)
{
    struct tern_settings fresh;

    set_defaults(&fresh);
    settings = fresh;
    for (size_t i = 0; i < N_SETTINGS; i++) {
        const char *text = find(&table[i], origins[i], sizeof origins[i]);

        if (text && parse(&table[i], text, &fresh) != 0) {
            snprintf(error, error_bytes, "%s is \"%.100s\": expected %s", origins[i], text,
                     expected(table[i].kind));
            return -EINVAL;
        }
    }
    settings = fresh;
    return 0;
}

/* ---- showing ---- */

static void print_value(FILE *out, const struct setting *s, const char *origin)
{
    const void *field = (const char *)&settings + s->offset;
    char text[32];

    if (!*origin)
        snprintf(text, sizeof text, "%s", s->by_default);
    else if (s->kind == SIZE)
        snprintf(text, sizeof text, "%llu", (unsigned long long)*(const uint64_t *)field);
    else if (s->kind == COUNT)
        snprintf(text, sizeof text, "%ld", *(const long *)field);
    else if (s->kind == BOOL)
        snprintf(text, sizeof text, "%s", *(const bool *)field ? "on" : "off");
    else
        snprintf(text, sizeof text, "set");
    fprintf(out, "%-24s %-12s", s->name, text);
    if (*origin && strcmp(origin, s->name) != 0)
        fprintf(out, " (from %s)", origin);
    fputc('\n', out);
}

/* Words of the text in lines of 76 columns, each indented. */
static void print_wrapped(FILE *out, const char *text, int indent)
{
    int column = 0;

    while (*text) {
        int n = (int)strcspn(text, " ");

        if (column && column + 1 + n > 76) {
            fputc('\n', out);
            column = 0;
        }
        column += fprintf(out, "%*s%.*s", column ? 1 : indent, "", n, text);
        text += n + (text[n] == ' ');
    }
    fputc('\n', out);
}

void tern_settings_print(FILE *out)
{
    for (size_t i = 0; i < N_SETTINGS; i++) {
        print_value(out, &table[i], origins[i]);
        print_wrapped(out, table[i].meaning, 4);
        if (*table[i].others)
            fprintf(out, "    also: %s\n", table[i].others);
    }
}

void tern_settings_print_markdown(FILE *out)
{
    fputs(
        "# Settings\n\n"
        "Environment variables, read when `shmem_init` is called. A malformed value is an error,\n"
        "never a silent default. This page is made from `src/base/settings.def` by\n"
        "`tern-info --settings=markdown`.\n\n"
        "| variable | default | meaning | other names, which it wins over |\n"
        "|---|---|---|---|\n",
        out);
    for (size_t i = 0; i < N_SETTINGS; i++)
        fprintf(out, "| `%s` | %s | %s | %s |\n", table[i].name, table[i].by_default,
                table[i].meaning, table[i].others);
    fputs(
        "\nSizes are digits with an optional fraction and an optional letter `k`, `m`, `g` or `t`\n"
        "in either case for powers of 1024; what follows the letter is ignored, and the result is\n"
        "rounded up: `3.1M` is 3250586 bytes. A *flag* is on when it is set to anything at all.\n"
        "Others take `on` or `off` (`yes`, `no`, `true`, `false`, `1`, `0`).\n",
        out);
}

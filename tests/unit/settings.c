/* SPDX-License-Identifier: BSD-3-Clause */
/* Settings: sizes against 128-bit arithmetic, precedence, defaults, and each kind of mistake. */
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "base/log.h"
#include "base/settings.h"
#include "capture.h"

/* ---- sizes ---- */

static void is_size(const char *text, uint64_t expected)
{
    uint64_t bytes = 0;
    int r = tern_settings_parse_size(text, &bytes);

    if (r != 0 || bytes != expected)
        fprintf(stderr, "\"%s\": %d, %" PRIu64 " instead of %" PRIu64 "\n", text, r, bytes,
                expected);
    CHECK(r == 0 && bytes == expected);
}

static void is_no_size(const char *text, int expected)
{
    uint64_t bytes;

    if (tern_settings_parse_size(text, &bytes) != expected)
        fprintf(stderr, "\"%s\"\n", text);
    CHECK(tern_settings_parse_size(text, &bytes) == expected);
}

static void sizes_of_the_standard(void)
{
    is_size("20m", 20971520);
    is_size("3.1m", 3250586);
    is_size("3.1M", 3250586);
    is_size(".5m", 524288);
    is_size("5.m", 5242880);
    is_size("20kk", 20480);
    is_size("20kB", 20480);
    is_size("1GiB", 1073741824);
    is_size("1t", UINT64_C(1) << 40);
    is_size("1T", UINT64_C(1) << 40);
    is_size("0", 0);
    is_size("0.0g", 0);
    is_size("007", 7);
    is_size("1.5", 2);
    is_size("0.1k", 103);
    is_size(" 64M", 67108864);
    is_size("18446744073709551615", UINT64_MAX);
    is_size("16777215.999999999999t", UINT64_MAX);
}

/* Rounding up looks at every decimal: the middle one is j / 2^40 exactly. */
static void sizes_with_many_decimals(void)
{
    is_size("0.6666666666669698315672576427459716796874999999999999999999999t", 733007751851);
    is_size(".6666666666669698315672576427459716796875t", 733007751851);
    is_size(".66666666666696983156725764274597167968750000000000000000000000000t", 733007751851);
    is_size(".6666666666669698315672576427459716796875000000000000000000001t", 733007751852);
    is_size("1.000000000000000000000000000000000000000000000000000000000001", 2);
    is_size("0000000000000000000000000000000000000000000000000000000000001k", 1024);
}

static void sizes_that_make_no_sense(void)
{
    static const char *const texts[] = {
        "",    " ",   ".",    "k",    ".k",       "-1",  "-0.5g", "+1",   "1q",    "1 k",
        "12 ", "1e6", "0x10", "1,5g", "infinity", "nan", "one",   "1..5", "1.5.2", "\xc3\xa9",
    };

    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        is_no_size(texts[i], -EINVAL);
    is_no_size("18446744073709551616", -ERANGE);
    is_no_size("18446744073709551615.1", -ERANGE);
    is_no_size("16777216t", -ERANGE);
    is_no_size("16777215.9999999999999999999999999t", -ERANGE);
    is_no_size("99999999999999999999999999999999999999999g", -ERANGE);
}

/* ceil((whole + fraction / 10^decimals) * 2^shift) */
static __int128 oracle(uint64_t whole, uint64_t fraction, int decimals, int shift)
{
    unsigned __int128 power = 1, part = fraction;

    for (int i = 0; i < decimals; i++)
        power *= 10;
    part = ((part << shift) + power - 1) / power;
    return ((__int128)whole << shift) + (__int128)part;
}

static void random_sizes(void)
{
    static const char letters[][2] = {"", "k", "K", "m", "M", "g", "G", "t", "T"};
    static const int shifts[] = {0, 10, 10, 20, 20, 30, 30, 40, 40};
    uint64_t random = 20260601;

    for (int i = 0; i < 100000; i++) {
        uint64_t whole = next_random(&random) >> below(&random, 64), power = 1;
        int decimals = 1 + (int)below(&random, 18);
        size_t suffix = below(&random, 9);
        uint64_t fraction, bytes;
        __int128 expected;
        char text[100];
        int r;

        for (int d = 0; d < decimals; d++)
            power *= 10;
        fraction = below(&random, 4) ? next_random(&random) % power : 0;
        expected = oracle(whole, fraction, decimals, shifts[suffix]);
        snprintf(text, sizeof text, "%" PRIu64 ".%0*" PRIu64 "%s", whole, decimals, fraction,
                 letters[suffix]);
        r = tern_settings_parse_size(text, &bytes);
        if (expected > UINT64_MAX)
            CHECK(r == -ERANGE);
        else
            CHECK(r == 0 && bytes == (uint64_t)expected);
    }
}

static void booleans(void)
{
    static const char *const yes[] = {"on", "ON", "yes", "Yes", "true", "TRUE", "1"};
    static const char *const no[] = {"off", "Off", "no", "NO", "false", "False", "0"};
    static const char *const neither[] = {"", " on", "on ", "2", "y", "enable", "-1"};

    for (size_t i = 0; i < 7; i++) {
        bool value = false;

        CHECK(tern_settings_parse_bool(yes[i], &value) == 0 && value);
        CHECK(tern_settings_parse_bool(no[i], &value) == 0 && !value);
        CHECK(tern_settings_parse_bool(neither[i], &value) == -EINVAL);
    }
}

/* ---- the environment ---- */

static char error[512];

/* Loads from an environment of these variables, "NAME=value" each. */
static int load(char *first, char *second)
{
    char *variables[] = {first, second, NULL}, **before = environ;
    int r;

    error[0] = '\0';
    environ = variables;
    r = tern_settings_load(error, sizeof error);
    environ = before;
    return r;
}

static void nothing_is_set(void)
{
    const struct tern_settings *s = tern_settings();

    CHECK(load(NULL, NULL) == 0);
    CHECK(!s->version && !s->info && !s->debug && s->symmetric_size == 0);
    CHECK(s->static_data && !s->heap_prefault && !s->heap_huge_pages && s->wait_awake_us == -1);
}

static void flags_react_to_anything(void)
{
    const struct tern_settings *s = tern_settings();

    CHECK(load("SHMEM_VERSION=", "SHMEM_INFO=0") == 0 && s->version && s->info && !s->debug);
    CHECK(load("SMA_VERSION=no", "SMA_INFO=") == 0 && s->version && s->info && !s->debug);
    CHECK(load("SHMEM_DEBUG=false", NULL) == 0 && s->debug && !s->version);
    CHECK(load("SMA_DEBUG=", NULL) == 0 && s->debug && !s->info);
}

static void values(void)
{
    const struct tern_settings *s = tern_settings();

    CHECK(load("SHMEM_STATIC_DATA=off", "SHMEM_HEAP_PREFAULT=1") == 0);
    CHECK(!s->static_data && s->heap_prefault);
    CHECK(load("SHMEM_HEAP_HUGE_PAGES=yes", "SHMEM_WAIT_AWAKE_US=0") == 0);
    CHECK(s->heap_huge_pages && s->wait_awake_us == 0 && s->static_data);
    CHECK(load("SHMEM_WAIT_AWAKE_US=2147483647", NULL) == 0 && s->wait_awake_us == INT32_MAX);
    CHECK(load("SHMEM_SYMMETRIC_SIZE=0", NULL) == 0 && s->symmetric_size == 1);
    CHECK(load("SHMEM_SYMMETRIC_SIZE=3.1M", NULL) == 0 && s->symmetric_size == 3250586);
}

/* The order of the names: each wins over those behind it, set before or after. */
static void names_of_the_size(void)
{
    static const char *const names[] = {"SHMEM_SYMMETRIC_SIZE", "SHMEM_SYMMETRIC_HEAP_SIZE",
                                        "SMA_SYMMETRIC_SIZE", "XT_SYMMETRIC_HEAP_SIZE",
                                        "ISHMEM_SYMMETRIC_SIZE"};
    char winner[64], loser[64];

    for (int i = 0; i < 5; i++) {
        snprintf(winner, sizeof winner, "%s=%dk", names[i], i + 1);
        CHECK(load(winner, NULL) == 0);
        CHECK(tern_settings()->symmetric_size == (uint64_t)(i + 1) * 1024);
        for (int j = i + 1; j < 5; j++) {
            snprintf(loser, sizeof loser, "%s=%dm", names[j], j + 1);
            CHECK(load(winner, loser) == 0);
            CHECK(tern_settings()->symmetric_size == (uint64_t)(i + 1) * 1024);
            CHECK(load(loser, winner) == 0);
            CHECK(tern_settings()->symmetric_size == (uint64_t)(i + 1) * 1024);
        }
    }
}

static void refuses(char *variable, const char *expected)
{
    CHECK(load("SHMEM_HEAP_PREFAULT=on", variable) == -EINVAL);
    if (strcmp(error, expected) != 0)
        fprintf(stderr, "%s\n", error);
    CHECK(strcmp(error, expected) == 0);
    CHECK(!tern_settings()->heap_prefault && tern_settings()->symmetric_size == 0);
}

static void mistakes_are_explained(void)
{
#define SIZE_EXPECTED "expected a number of bytes such as 1048576, 512K, 64M or 1.5G"
    refuses("SHMEM_SYMMETRIC_SIZE=64Q", "SHMEM_SYMMETRIC_SIZE is \"64Q\": " SIZE_EXPECTED);
    refuses("SHMEM_SYMMETRIC_SIZE=", "SHMEM_SYMMETRIC_SIZE is \"\": " SIZE_EXPECTED);
    refuses("XT_SYMMETRIC_HEAP_SIZE=-1", "XT_SYMMETRIC_HEAP_SIZE is \"-1\": " SIZE_EXPECTED);
    refuses("SMA_SYMMETRIC_SIZE=16777216t",
            "SMA_SYMMETRIC_SIZE is \"16777216t\": that is too large");
    refuses("SHMEM_STATIC_DATA=perhaps", "SHMEM_STATIC_DATA is \"perhaps\": expected on or off");
    refuses("SHMEM_WAIT_AWAKE_US=-5", "SHMEM_WAIT_AWAKE_US is \"-5\": expected a whole number");
    refuses("SHMEM_WAIT_AWAKE_US=1.5", "SHMEM_WAIT_AWAKE_US is \"1.5\": expected a whole number");
    refuses("SHMEM_WAIT_AWAKE_US=2147483648",
            "SHMEM_WAIT_AWAKE_US is \"2147483648\": that is too large");
    refuses("SHMEM_WAIT_AWAKE_US=99999999999999999999",
            "SHMEM_WAIT_AWAKE_US is \"99999999999999999999\": that is too large");
}

/* A malformed value of a name that loses does not count. */
static void losers_are_not_read(void)
{
    CHECK(load("SMA_SYMMETRIC_SIZE=junk", "SHMEM_SYMMETRIC_SIZE=1m") == 0);
    CHECK(tern_settings()->symmetric_size == 1048576);
}

static void check_names(void)
{
    static char *variables[] = {
        "SHMEM_SYMETRIC_SIZE=1g",
        "SHMEM_SYMMETRIC_SIZE=1g",
        "SHMEM_HEAP_PREFUALT=on",
        "shmem_debug=1",
        "SHMEM_OFI_PROVIDER=tcp",
        "SMA_INFO=1",
        "XT_SYMMETRIC_HEAP_SIZE=1g",
        "PATH=/bin",
        "SHMEM_A_NAME_LONGER_THAN_ALL_OTHERS_TOGETHER_WITHOUT_AN_EQUALS_SIGN",
        NULL,
    };

    environ = variables;
    tern_settings_check_names();
}

static void check_names_with_debug(void)
{
    tern_log_set_debug(true);
    check_names();
}

static void nearly_right_names(void)
{
    char text[2048];

    CHECK(capture(check_names, text, sizeof text) == 0);
    CHECK(strcmp(text, "tern: warning: SHMEM_SYMETRIC_SIZE is set, but is not a setting: perhaps "
                       "SHMEM_SYMMETRIC_SIZE is meant\n"
                       "tern: warning: SHMEM_HEAP_PREFUALT is set, but is not a setting: perhaps "
                       "SHMEM_HEAP_PREFAULT is meant\n"
                       "tern: warning: shmem_debug is set, but is not a setting: perhaps "
                       "SHMEM_DEBUG is meant\n") == 0);
    CHECK(capture(check_names_with_debug, text, sizeof text) == 0);
    CHECK(strstr(text, "debug: SHMEM_OFI_PROVIDER is set, but is not a setting of Tern\n"));
    CHECK(!strstr(text, "PATH"));
}

/* ---- showing ---- */

static const char *shown(const char *name, char *text, size_t bytes)
{
    size_t n;
    const struct tern_setting *table = tern_settings_table(&n);

    for (size_t i = 0; i < n; i++)
        if (strcmp(table[i].name, name) == 0)
            return tern_setting_show(&table[i], text, bytes);
    CHECK(!"no such setting");
    return NULL;
}

static void values_in_force(void)
{
    char text[32];

    CHECK(load("SMA_SYMMETRIC_SIZE=1.5g", "SHMEM_DEBUG=") == 0);
    CHECK(strcmp(shown("SHMEM_SYMMETRIC_SIZE", text, sizeof text), "SMA_SYMMETRIC_SIZE") == 0);
    CHECK(strcmp(text, "1536M") == 0);
    CHECK(strcmp(shown("SHMEM_DEBUG", text, sizeof text), "SHMEM_DEBUG") == 0);
    CHECK(strcmp(text, "set") == 0);
    CHECK(strcmp(shown("SHMEM_STATIC_DATA", text, sizeof text), "") == 0);
    CHECK(strcmp(text, "on") == 0);
    CHECK(load("SHMEM_SYMMETRIC_SIZE=1000", "SHMEM_WAIT_AWAKE_US=50") == 0);
    shown("SHMEM_SYMMETRIC_SIZE", text, sizeof text);
    CHECK(strcmp(text, "1000") == 0);
    shown("SHMEM_WAIT_AWAKE_US", text, sizeof text);
    CHECK(strcmp(text, "50") == 0);
    CHECK(load("SHMEM_SYMMETRIC_SIZE=x", NULL) == -EINVAL);
    CHECK(strcmp(shown("SHMEM_SYMMETRIC_SIZE", text, sizeof text), "") == 0);
}

/* SHMEM_INFO's text names all settings, and no line is longer than a terminal's. */
static void the_whole_table(void)
{
    char *text = NULL, *line, *rest;
    size_t bytes, n;
    const struct tern_setting *table = tern_settings_table(&n);
    FILE *out = open_memstream(&text, &bytes);

    CHECK(out && load(NULL, NULL) == 0);
    tern_settings_print(out);
    fclose(out);
    for (size_t i = 0; i < n; i++)
        CHECK(strstr(text, table[i].name));
    for (line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
        CHECK(strlen(line) <= 80);
    free(text);
}

/* They fit in the parser's room for them: also the other names, which no compiler looks at. */
static void lengths_of_names(void)
{
    size_t n, longest = 0;
    const struct tern_setting *table = tern_settings_table(&n);

    for (size_t i = 0; i < n; i++) {
        const char *names[] = {table[i].name, table[i].others};

        for (size_t j = 0; j < 2; j++)
            for (const char *at = names[j]; *at; at += *at == ' ') {
                size_t length = strcspn(at, " ");

                CHECK(length < TERN_SETTING_NAME_BYTES);
                longest = length > longest ? length : longest;
                at += length;
            }
    }
    CHECK(longest >= strlen("SHMEM_SYMMETRIC_HEAP_SIZE"));
}

int main(void)
{
    sizes_of_the_standard();
    sizes_with_many_decimals();
    sizes_that_make_no_sense();
    random_sizes();
    booleans();
    nothing_is_set();
    flags_react_to_anything();
    values();
    names_of_the_size();
    mistakes_are_explained();
    losers_are_not_read();
    nearly_right_names();
    values_in_force();
    the_whole_table();
    lengths_of_names();
    return 0;
}

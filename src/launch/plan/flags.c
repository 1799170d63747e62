/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of flags, and the search in it. */
#include "launch/plan/flags.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#define N_FLAGS (sizeof flags / sizeof flags[0])

/* The column in which the text of a flag is printed. */
#define TEXT_COLUMN 34

#define OWN(w, wanted, what)                                                                       \
    {                                                                                              \
        .words = (w), .wants = (wanted), .option = (what)                                          \
    }

/*
 * If a flag has several entries, the first that fits the value counts; the last one fits any.
 * man/oshrun.1 has the same table; a test compares them.
 */
static const struct tern_flag flags[] = {
    /* Flags of oshrun, which --help explains. */
    OWN("-n -np --np", TERN_WANTS_VALUE, TERN_OPTION_PES),
    OWN("-x --env", TERN_WANTS_VALUE, TERN_OPTION_ENV),
    OWN("-C --wdir", TERN_WANTS_VALUE, TERN_OPTION_DIRECTORY),
    OWN("-H --host --hosts", TERN_WANTS_VALUE, TERN_OPTION_HOSTS),
    OWN("--hostfile", TERN_WANTS_VALUE, TERN_OPTION_HOSTFILE),
    OWN("-N --per-host", TERN_WANTS_VALUE, TERN_OPTION_PER_HOST),
    OWN("--launcher", TERN_WANTS_VALUE, TERN_OPTION_LAUNCHER),
    OWN("--timeout", TERN_WANTS_VALUE, TERN_OPTION_TIMEOUT),
    OWN("--bind", TERN_WANTS_VALUE, TERN_OPTION_BIND),
    OWN("--chaos", TERN_WANTS_VALUE, TERN_OPTION_CHAOS),
    OWN("--check", TERN_WANTS_MAYBE, TERN_OPTION_CHECK),
    OWN("--hang-timeout", TERN_WANTS_VALUE, TERN_OPTION_HANG_TIMEOUT),
    OWN("--profile", TERN_WANTS_NOTHING, TERN_OPTION_PROFILE),
    OWN("-l --tag-output", TERN_WANTS_NOTHING, TERN_OPTION_TAG),
    OWN("-v --verbose", TERN_WANTS_NOTHING, TERN_OPTION_VERBOSE),
    OWN("-V --version", TERN_WANTS_NOTHING, TERN_OPTION_VERSION),
    OWN("-h --help", TERN_WANTS_NOTHING, TERN_OPTION_HELP),

    /* Flags of other launchers that stand for options of oshrun. */
    {"--ntasks", TERN_WANTS_VALUE, TERN_OPTION_PES, .text = "-n"},
    {"-ppn -perhost --npernode --ntasks-per-node", TERN_WANTS_VALUE, TERN_OPTION_PER_HOST,
     .text = "-N"},
    {"--pernode", TERN_WANTS_NOTHING, TERN_OPTION_PER_HOST, .fixed = "1", .text = "-N 1"},
    {"--nodelist -w", TERN_WANTS_VALUE, TERN_OPTION_HOSTS, .text = "-H"},
    {"--machinefile --default-hostfile -f", TERN_WANTS_VALUE, TERN_OPTION_HOSTFILE,
     .text = "--hostfile"},
    {"--wd --chdir -D", TERN_WANTS_VALUE, TERN_OPTION_DIRECTORY, .text = "-C"},
    {"-env -genv", TERN_WANTS_SETTING, TERN_OPTION_ENV, .text = "-x"},
    {"--label -prepend-rank", TERN_WANTS_NOTHING, TERN_OPTION_TAG, .text = "-l"},
    {"--output", TERN_WANTS_VALUE, TERN_OPTION_TAG, "tag", .text = "-l"},
    {"--report-bindings --display-map", TERN_WANTS_NOTHING, TERN_OPTION_VERBOSE, .text = "-v"},
    {"--bind-to --cpu-bind", TERN_WANTS_VALUE, TERN_OPTION_BIND, "core cores", "core",
     "--bind core"},
    {"--bind-to --cpu-bind", TERN_WANTS_VALUE, TERN_OPTION_BIND, "none", "none", "--bind none"},
    {"--map-by", TERN_WANTS_VALUE, TERN_OPTION_PPR, "ppr:N:node", .text = "-N N"},

    /* Flags of other launchers that oshrun accepts and ignores. */
    {"--map-by --rank-by", TERN_WANTS_VALUE, TERN_OPTION_IGNORED, "slot core hwthread",
     .text = "PEs are numbered host by host"},
    {"--map-by --rank-by", TERN_WANTS_VALUE, TERN_OPTION_DOMAINS, "socket package numa l3cache",
     .text = "without --bind core the kernel places PEs"},
    {"--map-by --rank-by", TERN_WANTS_VALUE, TERN_OPTION_CYCLIC, "node",
     .text = "one host allows only one order"},
    {"--oversubscribe --overcommit --overlap -O", TERN_WANTS_NOTHING, TERN_OPTION_IGNORED,
     .text = "more PEs than cores are fine"},
    {"--allow-run-as-root", TERN_WANTS_NOTHING, TERN_OPTION_IGNORED, .text = "root may"},
    {"--use-hwthread-cpus", TERN_WANTS_NOTHING, TERN_OPTION_IGNORED,
     .text = "hardware threads count as cores"},
    {"--mca --gmca --prtemca --pmixmca", TERN_WANTS_PAIR, TERN_OPTION_IGNORED,
     .text = "such settings are Open MPI's alone"},
    {"--prefix", TERN_WANTS_VALUE, TERN_OPTION_IGNORED,
     .text = "a program knows where its library is"},
    {"--mpi", TERN_WANTS_VALUE, TERN_OPTION_IGNORED, .text = "oshrun chooses the protocol"},
    {"-genvall -envall", TERN_WANTS_NOTHING, TERN_OPTION_IGNORED,
     .text = "all variables are passed on"},
    {"-genvlist -envlist", TERN_WANTS_VALUE, TERN_OPTION_IGNORED,
     .text = "all variables are passed on"},
    {"--export", TERN_WANTS_VALUE, TERN_OPTION_IGNORED, "ALL",
     .text = "all variables are passed on"},
    {"--stdin --input", TERN_WANTS_VALUE, TERN_OPTION_IGNORED, "0",
     .text = "standard input is PE 0's"},
    {"--kill-on-bad-exit -K", TERN_WANTS_MAYBE, TERN_OPTION_IGNORED, "1",
     .text = "a PE that fails ends the job"},
    {"--unbuffered -u", TERN_WANTS_NOTHING, TERN_OPTION_IGNORED,
     .text = "complete lines are passed on at once"},

    /* Flags of other launchers that oshrun refuses. */
    {"--bind-to --cpu-bind", TERN_WANTS_VALUE, TERN_OPTION_REFUSED,
     .text = "use --bind core, or --bind none"},
    {"--map-by --rank-by", TERN_WANTS_VALUE, TERN_OPTION_REFUSED,
     .text = "use -N PES and --bind core"},
    {"--cpus-per-task --cpus-per-proc -c", TERN_WANTS_VALUE, TERN_OPTION_REFUSED,
     .text = "use --bind core, or --bind none"},
    {"--npersocket", TERN_WANTS_VALUE, TERN_OPTION_REFUSED, .text = "use -N PES and --bind core"},
    {"--nooversubscribe", TERN_WANTS_NOTHING, TERN_OPTION_REFUSED,
     .text = "without -n each core gets one PE"},
    {"--nolocal", TERN_WANTS_NOTHING, TERN_OPTION_REFUSED, .text = "use -H with the other hosts"},
    {"--nodes", TERN_WANTS_VALUE, TERN_OPTION_REFUSED, .text = "use -H HOSTS or -N PES"},
    {"--partition --account --qos --time", TERN_WANTS_VALUE, TERN_OPTION_REFUSED,
     .text = "use salloc, and oshrun within it"},
    {"--export", TERN_WANTS_VALUE, TERN_OPTION_REFUSED, .text = "use -x NAME=VALUE"},
    {"-genvnone -envnone", TERN_WANTS_NOTHING, TERN_OPTION_REFUSED,
     .text = "use env -i before the program"},
    {"--iface", TERN_WANTS_VALUE, TERN_OPTION_REFUSED, .text = "use -x SHMEM_INTERFACE=NAME"},
    {"--stdin --input", TERN_WANTS_VALUE, TERN_OPTION_REFUSED,
     .text = "standard input is PE 0's: use a file"},
    {"--output-filename --outfile-pattern --error", TERN_WANTS_VALUE, TERN_OPTION_REFUSED,
     .text = "use sh -c 'exec PROGRAM > out.$TERN_PE'"},
    {"--output", TERN_WANTS_VALUE, TERN_OPTION_REFUSED,
     .text = "use sh -c 'exec PROGRAM > out.$TERN_PE'"},
    {"--merge-stderr-to-stdout", TERN_WANTS_NOTHING, TERN_OPTION_REFUSED,
     .text = "use sh -c 'exec PROGRAM 2>&1'"},
    {"--timestamp-output", TERN_WANTS_NOTHING, TERN_OPTION_REFUSED, .text = "use -l, and ts(1)"},
    {"-prepend-pattern", TERN_WANTS_VALUE, TERN_OPTION_REFUSED, .text = "use -l"},
    {"--kill-on-bad-exit -K", TERN_WANTS_MAYBE, TERN_OPTION_REFUSED,
     .text = "a PE that fails ends the job"},
    {"--enable-recovery -disable-auto-cleanup", TERN_WANTS_NOTHING, TERN_OPTION_REFUSED,
     .text = "a PE that fails ends the job"},
    {"--app -configfile", TERN_WANTS_VALUE, TERN_OPTION_REFUSED,
     .text = "put colons between programs"},
    {"--multi-prog", TERN_WANTS_NOTHING, TERN_OPTION_REFUSED,
     .text = "put colons between programs"},
};

/* ---- words ---- */

/* Finds the next word at *at, and moves *at behind it. Returns its length; 0: there is none. */
static size_t next_word(const char **at, const char **word)
{
    size_t n;

    *at += strspn(*at, " ");
    *word = *at;
    n = strcspn(*at, " ");
    *at += n;
    return n;
}

/* Strips up to two dashes. */
static const char *bare(const char *word, size_t *n)
{
    for (int dashes = 0; dashes < 2 && *n > 1 && *word == '-'; dashes++, (*n)--)
        word++;
    return word;
}

static bool is_same(const char *a, size_t n_a, const char *b, size_t n_b, bool exact)
{
    if (!exact) {
        a = bare(a, &n_a);
        b = bare(b, &n_b);
    }
    return n_a == n_b && strncmp(a, b, n_a) == 0;
}

static bool has_word(const struct tern_flag *flag, const char *word, size_t n, bool exact)
{
    const char *at = flag->words, *known;

    for (size_t length; (length = next_word(&at, &known)) > 0;)
        if (is_same(word, n, known, length, exact))
            return true;
    return false;
}

/* The exact spelling comes first, because --env and -env are different flags. */
static const struct tern_flag *find_word(const char *word, size_t n)
{
    for (int exact = 1; exact >= 0; exact--)
        for (size_t i = 0; i < N_FLAGS; i++)
            if (has_word(&flags[i], word, n, exact))
                return &flags[i];
    return NULL;
}

const struct tern_flag *tern_flags_find(char *argument, char **attached)
{
    const struct tern_flag *flag = find_word(argument, strlen(argument));
    size_t name = strcspn(argument, "=");

    *attached = NULL;
    if (flag)
        return flag;
    flag = argument[name] ? find_word(argument, name) : NULL;
    if (flag && (flag->wants == TERN_WANTS_VALUE || flag->wants == TERN_WANTS_MAYBE)) {
        *attached = argument + name + 1;
        return flag;
    }
    /*
     * An attached value as in -n4 is for oshrun's own flags only: a mistyped word must not become a
     * flag of another launcher.
     */
    flag = argument[1] != '-' ? find_word(argument, 2) : NULL;
    if (flag && !flag->text && flag->wants == TERN_WANTS_VALUE) {
        *attached = argument + 2;
        return flag;
    }
    return NULL;
}

/* ---- values ---- */

/* Whether a modifier of --map-by or --bind-to changes nothing under oshrun. */
static bool is_ignored_modifier(const char *text, size_t n)
{
    static const char *const known[] = {"oversubscribe", "overload-allowed", "if-supported", "span",
                                        "hwtcpus",       "corecpus",         "pe=1"};

    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (n == strlen(known[i]) && strncasecmp(text, known[i], n) == 0)
            return true;
    return false;
}

/* Whether the rest of a value consists of such modifiers, each after a colon or a comma. */
static bool are_modifiers(const char *rest)
{
    while (*rest == ':' || *rest == ',') {
        size_t n = strcspn(++rest, ":,");

        if (!is_ignored_modifier(rest, n))
            return false;
        rest += n;
    }
    return !*rest;
}

/* Compares a value with a word of the table. In words with colons, N stands for any number. */
static bool is_value(const char *value, const char *word, size_t n)
{
    bool pattern = memchr(word, ':', n) != NULL;

    for (const char *end = word + n; word < end; word++) {
        size_t digits = strspn(value, "0123456789");

        if (pattern && *word == 'N' && digits > 0)
            value += digits;
        else if (tolower((unsigned char)*value++) != tolower((unsigned char)*word))
            return false;
    }
    return are_modifiers(value);
}

static bool is_about(const struct tern_flag *flag, const char *value)
{
    const char *at = flag->values, *word;

    if (!at || !value)
        return true;
    if (*value == ':' && are_modifiers(value)) /* --map-by :OVERSUBSCRIBE */
        return flag->option == TERN_OPTION_IGNORED;
    for (size_t n; (n = next_word(&at, &word)) > 0;)
        if (is_value(value, word, n))
            return true;
    return false;
}

const struct tern_flag *tern_flags_for_value(const struct tern_flag *flag, const char *value)
{
    const char *at = flag->words, *word;
    size_t n = next_word(&at, &word);

    for (; flag < flags + N_FLAGS; flag++)
        if (has_word(flag, word, n, true) && is_about(flag, value))
            return flag;
    return NULL;
}

/* ---- the printed table ---- */

static void print_flag(const struct tern_flag *flag)
{
    const char *at = flag->words, *word;
    const char *blank = flag->wants == TERN_WANTS_MAYBE ? "=" : " ";
    int column = 2;

    fputs("  ", stdout);
    for (size_t n; (n = next_word(&at, &word)) > 0;)
        column += printf("%s%.*s", column > 2 ? ", " : "", (int)n, word);
    if (flag->values) {
        at = flag->values;
        for (size_t n; (n = next_word(&at, &word)) > 0; blank = " | ")
            column += printf("%s%.*s", blank, (int)n, word);
    } else if (flag->wants != TERN_WANTS_NOTHING) {
        column += printf("%sX", blank);
        if (flag->wants == TERN_WANTS_PAIR || flag->wants == TERN_WANTS_SETTING)
            column += printf(" Y");
    }
    if (column >= TEXT_COLUMN) {
        putchar('\n');
        column = 0;
    }
    printf("%*s%s\n", TEXT_COLUMN - column, "", flag->text);
}

enum kind { DONE, NEEDLESS, REFUSED };

static enum kind kind_of(const struct tern_flag *flag)
{
    switch (flag->option) {
    case TERN_OPTION_REFUSED:
        return REFUSED;
    case TERN_OPTION_IGNORED:
    case TERN_OPTION_CYCLIC:
    case TERN_OPTION_DOMAINS:
        return NEEDLESS;
    default:
        return DONE;
    }
}

void tern_flags_print_others(void)
{
    static const char *const titles[] = {
        [DONE] = "Flags of other launchers that stand for options of oshrun:",
        [NEEDLESS] = "Accepted without effect:",
        [REFUSED] = "Refused; X: any other value than above:",
    };

    for (enum kind kind = DONE; kind <= REFUSED; kind++) {
        printf("%s%s\n", kind > DONE ? "\n" : "", titles[kind]);
        for (size_t i = 0; i < N_FLAGS; i++)
            if (flags[i].text && kind_of(&flags[i]) == kind)
                print_flag(&flags[i]);
    }
    fputs("\nOne dash or two makes no difference, except for -env.\n", stdout);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Parses the command line. */
#include "launch/plan/options.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/parse_uint.h"
#include "base/settings.h"
#include "base/tool_protocol.h"
#include "launch/plan/flags.h"

/*
 * Parses a number of PEs. Huge numbers saturate far above every limit, where they can still be
 * multiplied by the number of hosts.
 */
static int parse_count(const char *option, const char *value, uint64_t *count)
{
    int r = tern_parse_uint(value, UINT32_MAX, count);

    if (r == -ERANGE) {
        *count = UINT32_MAX;
        return 0;
    }
    if (r || !*count) {
        tern_error("%s takes a number of PEs, 1 at least, not \"%s\"", option, value);
        return -EINVAL;
    }
    return 0;
}

/* Adds a variable for the program's PEs. value is NULL if name is "NAME=VALUE". */
static int add_setting(struct tern_launch_program *program, const char *name, const char *value)
{
    char **settings =
        reallocarray(program->settings, program->n_settings + 1, sizeof *program->settings);
    char *setting;

    if (!settings)
        return -ENOMEM;
    program->settings = settings;
    if (asprintf(&setting, "%s%s%s", name, value ? "=" : "", value ? value : "") < 0)
        return -ENOMEM;
    settings[program->n_settings++] = setting;
    return 0;
}

static int parse_setting(struct tern_launch_program *program, const char *word, const char *name,
                         const char *value)
{
    size_t n = strcspn(name, "=");

    if (n == 0 || (value && name[n])) {
        tern_error("%s takes NAME=VALUE, not \"%s\"", word, name);
        return -EINVAL;
    }
    if (name[n] || value)
        return add_setting(program, name, value);
    if (!getenv(name)) /* other launchers pass a named variable on; oshrun passes all on */
        tern_warn("%s %s: there is no such variable in the environment", word, name);
    return 0;
}

static int parse_timeout(struct tern_options *options, const char *word, const char *value)
{
    char *end;
    double seconds = strtod(value, &end);

    if (end == value || *end || !(seconds > 0) || !isfinite(seconds)) {
        tern_error("%s takes a number of seconds above 0, not \"%s\"", word, value);
        return -EINVAL;
    }
    /* Some 95 years, so that the nanoseconds fit. */
    options->timeout_ns = (uint64_t)((seconds < 3e9 ? seconds : 3e9) * 1e9);
    return 0;
}

static int parse_bind(struct tern_options *options, const char *value)
{
    if (strcmp(value, "core") != 0 && strcmp(value, "none") != 0) {
        tern_error("--bind takes \"core\" or \"none\", not \"%s\"", value);
        return -EINVAL;
    }
    options->bind = strcmp(value, "core") == 0;
    return 0;
}

static int parse_chaos(struct tern_options *options, const char *value)
{
    uint64_t seed;

    if (tern_parse_uint(value, UINT64_MAX, &seed) != 0) {
        tern_error("--chaos takes a seed, " TERN_CHAOS_EXPECTS ", not \"%s\"", value);
        return -EINVAL;
    }
    options->chaos = value;
    return 0;
}

/* value is NULL for a plain --check. */
static int parse_check(struct tern_options *options, const char *value)
{
    bool stops, races;

    if (value && (!*value || !tern_check_mode_read(value, &stops, &races))) {
        tern_error("--check takes stop, races, or both with a comma between, not \"%s\"", value);
        return -EINVAL;
    }
    options->check = value ? value : TERN_CHECK_GO;
    return 0;
}

/* --hang-timeout implies --check, without which it would have no effect. */
static int parse_hang_timeout(struct tern_options *options, const char *value)
{
    uint64_t seconds;

    if (tern_parse_uint(value, TERN_CHECK_HANG_MOST, &seconds) != 0) {
        tern_error("--hang-timeout takes a whole number of seconds, or 0 for never, not \"%s\"",
                   value);
        return -EINVAL;
    }
    options->hang_timeout = value;
    if (!options->check)
        options->check = TERN_CHECK_GO;
    return 0;
}

/* A flag on the command line. */
struct given_flag {
    const struct tern_flag *flag;
    const char *word;   /* its spelling there */
    const char *value;  /* or NULL */
    const char *second; /* second value of a pair, or NULL */
};

/* Parses the number in "ppr:N:node". */
static int parse_ppr(struct tern_options *options, const struct given_flag *given)
{
    const char *at = strchr(given->value, ':') + 1;

    if (tern_parse_uint_until(&at, 10, ':', UINT32_MAX, &options->per_host) == 0 &&
        options->per_host > 0)
        return 0;
    tern_error("%s %s: ppr:N:node takes a number of PEs, 1 at least", given->word, given->value);
    return -EINVAL;
}

static int refuse(const struct given_flag *given)
{
    tern_error("%s%s%s can't be honoured: %s", given->word, given->value ? " " : "",
               given->value ? given->value : "", given->flag->text);
    return -EINVAL;
}

static int apply(struct tern_options *options, struct tern_launch_program *program,
                 const struct given_flag *given)
{
    const char *value = given->flag->fixed ? given->flag->fixed : given->value;

    switch (given->flag->option) {
    case TERN_OPTION_PES:
        return parse_count(given->word, value, &program->n_pes);
    case TERN_OPTION_ENV:
        return parse_setting(program, given->word, value, given->second);
    case TERN_OPTION_DIRECTORY:
        program->directory = value;
        return 0;
    case TERN_OPTION_HOSTS:
        return tern_hosts_add_list(&options->hosts, value);
    case TERN_OPTION_HOSTFILE:
        return tern_hosts_add_file(&options->hosts, value);
    case TERN_OPTION_PER_HOST:
        return parse_count(given->word, value, &options->per_host);
    case TERN_OPTION_PPR:
        return parse_ppr(options, given);
    case TERN_OPTION_CYCLIC:
        options->cyclic = true;
        return 0;
    case TERN_OPTION_DOMAINS:
        options->domains = true;
        return 0;
    case TERN_OPTION_LAUNCHER:
        options->launcher = value;
        return 0;
    case TERN_OPTION_TIMEOUT:
        return parse_timeout(options, given->word, value);
    case TERN_OPTION_BIND:
        return parse_bind(options, value);
    case TERN_OPTION_CHAOS:
        return parse_chaos(options, value);
    case TERN_OPTION_CHECK:
        return parse_check(options, value);
    case TERN_OPTION_HANG_TIMEOUT:
        return parse_hang_timeout(options, value);
    case TERN_OPTION_PROFILE:
        options->profile = true;
        return 0;
    case TERN_OPTION_TAG:
        options->tag_output = true;
        return 0;
    case TERN_OPTION_VERBOSE:
        options->verbose = true;
        return 0;
    case TERN_OPTION_VERSION:
        options->action = TERN_ACTION_VERSION;
        return 0;
    case TERN_OPTION_HELP:
        options->action = TERN_ACTION_HELP;
        return 0;
    case TERN_OPTION_IGNORED:
        return 0;
    case TERN_OPTION_REFUSED:
        return refuse(given);
    }
    return 0;
}

/* The number of arguments after the flag that belong to it. */
static int count_values(const struct tern_flag *flag, const char *attached, char **arguments)
{
    switch (flag->wants) {
    case TERN_WANTS_VALUE:
        return attached ? 0 : 1;
    case TERN_WANTS_PAIR:
        return 2;
    case TERN_WANTS_SETTING:
        return arguments[0] && strchr(arguments[0], '=') ? 1 : 2;
    default:
        return 0;
    }
}

/*
 * Parses the flag at argv, with its values. Returns the position after it, or NULL after a message.
 */
static char **read_flag(struct given_flag *given, char **argv)
{
    char *attached;
    int n;

    *given = (struct given_flag){.flag = tern_flags_find(*argv, &attached), .word = *argv};
    if (!given->flag) {
        tern_error("unknown option \"%s\": `man oshrun' lists the options; those of the program "
                   "come after its name",
                   *argv);
        return NULL;
    }
    argv++;
    given->value = attached;
    if (attached && attached[-1] == '=')
        attached[-1] = '\0'; /* ends the word */
    n = count_values(given->flag, attached, argv);
    if (n > 0)
        given->value = *argv;
    if (n > 1 && *argv)
        given->second = argv[1];
    if ((n > 0 && !given->value) || (n > 1 && !given->second)) {
        tern_error("the option %s lacks its value%s", given->word, n > 1 ? "s" : "");
        return NULL;
    }
    given->flag = tern_flags_for_value(given->flag, given->value);
    return argv + n;
}

/*
 * Parses options up to the name of a program, whose position is then *position. 0, -ENOMEM, or
 * -EINVAL after a message.
 */
static int parse_options(struct tern_options *options, struct tern_launch_program *program,
                         char ***position, bool *colons_separate)
{
    char **argv = *position;

    while (*argv && (*argv)[0] == '-' && (*argv)[1]) {
        struct given_flag given;
        int r;

        if (strcmp(*argv, "--") == 0) {
            *colons_separate = false;
            argv++;
            break;
        }
        argv = read_flag(&given, argv);
        r = argv ? apply(options, program, &given) : -EINVAL;
        if (r)
            return r == -ENOMEM ? r : -EINVAL;
        if (options->action == TERN_ACTION_HELP && *argv && strcmp(*argv, "--all") == 0)
            options->action = TERN_ACTION_OTHER_FLAGS;
        if (options->action != TERN_ACTION_RUN)
            break;
    }
    *position = argv;
    return 0;
}

bool tern_options_need_starter(const struct tern_options *options)
{
    return options->launcher || !tern_hosts_are_local(&options->hosts);
}

/* The number of PEs of a single program without -n. */
static uint64_t default_pes(const struct tern_options *options, int cores)
{
    uint64_t room = tern_hosts_capacity(&options->hosts, options->per_host);

    if (room)
        return room;
    if (tern_options_need_starter(options))
        return options->hosts.n;
    return options->per_host ? options->per_host : (uint64_t)cores;
}

/* Checks options that exclude each other. */
static int check_mapping(const struct tern_options *options)
{
    if (options->cyclic && tern_options_need_starter(options)) {
        tern_error("--map-by node can't be honoured: the PEs of a host are numbered consecutively; "
                   "use -N PES");
        return -EINVAL;
    }
    if (options->domains && options->bind) {
        tern_error("PEs can't be bound to the cores of sockets round robin: use --bind core "
                   "alone, which takes all cores round robin");
        return -EINVAL;
    }
    return 0;
}

static int check_programs(struct tern_options *options, int cores)
{
    for (size_t i = 0; i < options->n_programs; i++) {
        struct tern_launch_program *program = &options->programs[i];

        if (program->n_pes == 0 && options->n_programs > 1) {
            tern_error("each of several programs needs its own -n, and \"%s\" has none",
                       program->argv[0]);
            return -EINVAL;
        }
        if (program->n_pes == 0)
            program->n_pes = default_pes(options, cores);
        if (__builtin_add_overflow(options->n_pes, program->n_pes, &options->n_pes))
            options->n_pes = UINT64_MAX;
    }
    if (check_mapping(options) != 0)
        return -EINVAL;
    return tern_hosts_distribute(&options->hosts, options->n_pes, options->per_host);
}

int tern_options_parse(struct tern_options *options, char **argv, int cores)
{
    bool colons_separate = true;

    *options = (struct tern_options){.action = TERN_ACTION_RUN};
    for (;;) {
        struct tern_launch_program *program;
        int r;

        program = reallocarray(options->programs, options->n_programs + 1, sizeof *program);
        if (!program)
            return -ENOMEM;
        options->programs = program;
        program += options->n_programs++;
        *program = (struct tern_launch_program){.n_pes = 0};

        r = parse_options(options, program, &argv, &colons_separate);
        if (r)
            return r;
        if (options->action != TERN_ACTION_RUN)
            return 0;
        if (!*argv || strcmp(*argv, ":") == 0) {
            tern_error("there is no program to start: see oshrun --help");
            return -EINVAL;
        }
        program->argv = argv;
        while (*argv && !(colons_separate && strcmp(*argv, ":") == 0))
            argv++;
        if (!*argv)
            return check_programs(options, cores);
        *argv++ = NULL;
    }
}

int tern_options_read_shmemrun(struct tern_options *options)
{
    const char *timeout = getenv("SHMEMRUN_TIMEOUT"), *verbose = getenv("SHMEMRUN_VERBOSE");
    bool on = true;

    if (verbose && *verbose && (tern_settings_parse_bool(verbose, &on) != 0 || on))
        options->verbose = true;
    if (!timeout || !*timeout || strcmp(timeout, "0") == 0 || options->timeout_ns)
        return 0;
    return parse_timeout(options, "SHMEMRUN_TIMEOUT", timeout);
}

void tern_options_free(struct tern_options *options)
{
    for (size_t i = 0; i < options->n_programs; i++) {
        for (size_t k = 0; k < options->programs[i].n_settings; k++)
            free(options->programs[i].settings[k]);
        free(options->programs[i].settings);
        free(options->programs[i].path);
    }
    free(options->programs);
    tern_hosts_free(&options->hosts);
}

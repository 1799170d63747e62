/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the command line. */
#include "launch/options.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/tool.h"
#include "base/whole.h"

enum option {
    OPT_PES,
    OPT_ENV,
    OPT_DIRECTORY,
    OPT_HOSTS,
    OPT_HOSTFILE,
    OPT_PER_HOST,
    OPT_LAUNCHER,
    OPT_TIMEOUT,
    OPT_BIND,
    OPT_CHAOS,
    OPT_CHECK,
    OPT_HANG_TIMEOUT,
    OPT_PROFILE,
    OPT_TAG,
    OPT_VERBOSE,
    OPT_VERSION,
    OPT_HELP,
};

/* A value is the next argument or attached; MAYBE: it can only be attached, by an equals sign. */
enum wants { NOTHING, VALUE, MAYBE };

static const struct option_word {
    const char *word;
    enum option option;
    enum wants wants;
} words[] = {
    {"-n", OPT_PES, VALUE},
    {"-np", OPT_PES, VALUE},
    {"--np", OPT_PES, VALUE},
    {"-x", OPT_ENV, VALUE},
    {"--env", OPT_ENV, VALUE},
    {"-C", OPT_DIRECTORY, VALUE},
    {"--wdir", OPT_DIRECTORY, VALUE},
    {"-H", OPT_HOSTS, VALUE},
    {"--host", OPT_HOSTS, VALUE},
    {"--hosts", OPT_HOSTS, VALUE},
    {"--hostfile", OPT_HOSTFILE, VALUE},
    {"-N", OPT_PER_HOST, VALUE},
    {"--per-host", OPT_PER_HOST, VALUE},
    {"--launcher", OPT_LAUNCHER, VALUE},
    {"--timeout", OPT_TIMEOUT, VALUE},
    {"--bind", OPT_BIND, VALUE},
    {"--chaos", OPT_CHAOS, VALUE},
    {"--check", OPT_CHECK, MAYBE},
    {"--hang-timeout", OPT_HANG_TIMEOUT, VALUE},
    {"--profile", OPT_PROFILE, NOTHING},
    {"-l", OPT_TAG, NOTHING},
    {"--tag-output", OPT_TAG, NOTHING},
    {"-v", OPT_VERBOSE, NOTHING},
    {"--verbose", OPT_VERBOSE, NOTHING},
    {"-V", OPT_VERSION, NOTHING},
    {"--version", OPT_VERSION, NOTHING},
    {"-h", OPT_HELP, NOTHING},
    {"--help", OPT_HELP, NOTHING},
};

void tern_options_print_help(void)
{
    fputs("usage: oshrun [-n PES] [options] program [arguments] [: -n PES ... program ...]\n"
          "Starts an OpenSHMEM job: PES processes that run the program.\n"
          "\n"
          "  -n, -np PES           number of PEs; by default one for each usable core\n"
          "  -H, --hosts A:2,B     start them on these hosts (2: how many PEs A takes) by\n"
          "      --hostfile FILE   the launcher that is installed: srun, mpirun or Hydra\n"
          "  -N, --per-host PES    so many PEs on each host\n"
          "      --launcher NAME   srun, prterun, mpirun, hydra, or the path of one\n"
          "  -x, --env NAME=VALUE  set a variable (the environment is passed on anyway)\n"
          "  -C, --wdir DIR        run the program in this directory\n"
          "      --bind core       bind each PE to a core, round robin (default: none)\n"
          "      --chaos SEED      disorder puts as far as is legal: missing fences show\n"
          "      --check[=WORDS]   say what calls do wrong [stop, races, or stop,races]\n"
          "      --hang-timeout S  with --check, say after S s what PEs wait for (30)\n"
          "      --profile         say where time goes; " TERN_PROFILE_FOLDER
          "/report.html says more\n"
          "      --timeout SECONDS end the job after this time, with status 124\n"
          "  -l, --tag-output      begin each line of output with its PE, as in \"[3] \"\n"
          "  -v, --verbose         say what is started and how it ends\n"
          "  -V, --version, -h, --help: print the version, or this (more in the manual)\n"
          "      --                the options end here; later colons are arguments\n"
          "\n"
          "-n, -x and -C belong to the program that follows. Standard input is PE 0's.\n"
          "Scripts find TERN_PE, TERN_N_PES, TERN_LOCAL_PE, TERN_LOCAL_N_PES. The status\n"
          "is that of the first PE that failed (128 + its signal), or 126 or 127 before.\n",
          stdout);
}

/* Of PEs. It saturates far above every limit, and may be multiplied by the number of hosts. */
static int take_count(const char *option, const char *value, uint64_t *count)
{
    int r = tern_whole_read(value, UINT32_MAX, count);

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

static int take_setting(struct tern_program *program, char *value)
{
    const char *equals = strchr(value, '=');
    char **settings;

    if (*value == '\0' || equals == value) {
        tern_error("-x takes NAME=VALUE, not \"%s\"", value);
        return -EINVAL;
    }
    if (!equals) { /* "pass this one on": they all are */
        if (!getenv(value))
            tern_warn("-x %s: there is no such variable in the environment", value);
        return 0;
    }
    settings = reallocarray(program->settings, program->n_settings + 1, sizeof *settings);
    if (!settings)
        return -ENOMEM;
    settings[program->n_settings++] = value;
    program->settings = settings;
    return 0;
}

static int take_timeout(struct tern_options *options, const char *value)
{
    char *end;
    double seconds = strtod(value, &end);

    if (end == value || *end || !(seconds > 0) || !isfinite(seconds)) {
        tern_error("--timeout takes a number of seconds above 0, not \"%s\"", value);
        return -EINVAL;
    }
    /* A century is as good as for ever, and fits. */
    options->timeout_ns = (uint64_t)((seconds < 3e9 ? seconds : 3e9) * 1e9);
    return 0;
}

static int take_bind(struct tern_options *options, const char *value)
{
    if (strcmp(value, "core") != 0 && strcmp(value, "none") != 0) {
        tern_error("--bind takes \"core\" or \"none\", not \"%s\"", value);
        return -EINVAL;
    }
    options->bind = strcmp(value, "core") == 0;
    return 0;
}

static int take_chaos(struct tern_options *options, const char *value)
{
    uint64_t seed;

    if (tern_whole_read(value, UINT64_MAX, &seed) != 0) {
        tern_error("--chaos takes a seed, " TERN_CHAOS_EXPECTS ", not \"%s\"", value);
        return -EINVAL;
    }
    options->chaos = value;
    return 0;
}

/* value is NULL where none is attached. */
static int take_check(struct tern_options *options, const char *value)
{
    bool stops, races;

    if (value && (!*value || !tern_check_mode_read(value, &stops, &races))) {
        tern_error("--check takes stop, races, or both with a comma between, not \"%s\"", value);
        return -EINVAL;
    }
    options->check = value ? value : TERN_CHECK_GO;
    return 0;
}

/* Without --check there is nothing that would look at the time. */
static int take_hang_timeout(struct tern_options *options, const char *value)
{
    uint64_t seconds;

    if (tern_whole_read(value, TERN_CHECK_HANG_MOST, &seconds) != 0) {
        tern_error("--hang-timeout takes a whole number of seconds, or 0 for never, not \"%s\"",
                   value);
        return -EINVAL;
    }
    options->hang_timeout = value;
    if (!options->check)
        options->check = TERN_CHECK_GO;
    return 0;
}

/* value is NULL for an option without one. */
static int take(struct tern_options *options, struct tern_program *program, enum option option,
                char *value)
{
    switch (option) {
    case OPT_PES:
        return take_count("-n", value, &program->n_pes);
    case OPT_ENV:
        return take_setting(program, value);
    case OPT_DIRECTORY:
        program->directory = value;
        return 0;
    case OPT_HOSTS:
        return tern_hosts_add_list(&options->hosts, value);
    case OPT_HOSTFILE:
        return tern_hosts_add_file(&options->hosts, value);
    case OPT_PER_HOST:
        return take_count("-N", value, &options->per_host);
    case OPT_LAUNCHER:
        options->launcher = value;
        return 0;
    case OPT_TIMEOUT:
        return take_timeout(options, value);
    case OPT_BIND:
        return take_bind(options, value);
    case OPT_CHAOS:
        return take_chaos(options, value);
    case OPT_CHECK:
        return take_check(options, value);
    case OPT_HANG_TIMEOUT:
        return take_hang_timeout(options, value);
    case OPT_PROFILE:
        options->profile = true;
        return 0;
    case OPT_TAG:
        options->tag_output = true;
        return 0;
    case OPT_VERBOSE:
        options->verbose = true;
        return 0;
    case OPT_VERSION:
        options->errand = TERN_SHOW_VERSION;
        return 0;
    case OPT_HELP:
        options->errand = TERN_SHOW_HELP;
        return 0;
    }
    return 0;
}

/*
 * Finds the option that an argument names: the whole of it, or with its value attached as in
 * --wdir=DIR and -n4; *attached is then the value, else NULL.
 */
static const struct option_word *look_up(char *arg, char **attached)
{
    bool is_long = strncmp(arg, "--", 2) == 0;

    *attached = NULL;
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strcmp(arg, words[i].word) == 0)
            return &words[i];
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        size_t n = strlen(words[i].word);

        if (words[i].wants == NOTHING || strncmp(arg, words[i].word, n) != 0)
            continue;
        if (is_long ? arg[n] == '=' : n == 2) {
            *attached = arg + n + (arg[n] == '=');
            return &words[i];
        }
    }
    return NULL;
}

/* Takes options up to a program's name; returns where it stands, or NULL after a message. */
static char **take_options(struct tern_options *options, struct tern_program *program, char **argv,
                           bool *colons_separate)
{
    for (; *argv && (*argv)[0] == '-' && (*argv)[1]; argv++) {
        const struct option_word *word;
        char *value;

        if (strcmp(*argv, "--") == 0) {
            *colons_separate = false;
            return argv + 1;
        }
        word = look_up(*argv, &value);
        if (!word) {
            tern_error(
                "there is no option \"%s\"; `man oshrun' has them all, and the program's own "
                "options come after its name",
                *argv);
            return NULL;
        }
        if (word->wants == VALUE && !value) {
            value = *++argv;
            if (!value) {
                tern_error("the option %s lacks its value", word->word);
                return NULL;
            }
        }
        if (take(options, program, word->option, value) != 0)
            return NULL;
        if (options->errand != TERN_RUN)
            break;
    }
    return argv;
}

bool tern_options_go_elsewhere(const struct tern_options *options)
{
    return options->launcher || !tern_hosts_are_here(&options->hosts);
}

/* For a single program without -n. */
static uint64_t default_pes(const struct tern_options *options, int cores)
{
    uint64_t room = tern_hosts_room(&options->hosts, options->per_host);

    if (room)
        return room;
    if (tern_options_go_elsewhere(options))
        return options->hosts.n;
    return options->per_host ? options->per_host : (uint64_t)cores;
}

static int check_programs(struct tern_options *options, int cores)
{
    for (size_t i = 0; i < options->n_programs; i++) {
        struct tern_program *program = &options->programs[i];

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
    return tern_hosts_deal(&options->hosts, options->n_pes, options->per_host);
}

int tern_options_parse(struct tern_options *options, char **argv, int cores)
{
    bool colons_separate = true;

    *options = (struct tern_options){.errand = TERN_RUN};
    for (;;) {
        struct tern_program *program;

        program = reallocarray(options->programs, options->n_programs + 1, sizeof *program);
        if (!program)
            return -ENOMEM;
        options->programs = program;
        program += options->n_programs++;
        *program = (struct tern_program){.n_pes = 0};

        argv = take_options(options, program, argv, &colons_separate);
        if (!argv)
            return -EINVAL;
        if (options->errand != TERN_RUN)
            return 0;
        if (!*argv || strcmp(*argv, ":") == 0) {
            tern_error("there is no program to start; oshrun --help shows how");
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

void tern_options_free(struct tern_options *options)
{
    for (size_t i = 0; i < options->n_programs; i++) {
        free(options->programs[i].settings);
        free(options->programs[i].path);
    }
    free(options->programs);
    tern_hosts_free(&options->hosts);
}

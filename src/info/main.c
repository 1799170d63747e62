/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tern-info: prints this Tern's version, the properties of this machine, and the settings in force.
 */
#include <errno.h>
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/settings.h"
#include "info/doctor.h"
#include "info/machine.h"
#include "info/pages.h"
#include "info/test.h"

#define EXIT_USAGE 2

#ifdef __clang__
#define COMPILER __VERSION__
#else
#define COMPILER "gcc " __VERSION__
#endif

static void print_help(FILE *out)
{
    fputs("usage: tern-info [option]\n"
          "Shows Tern's version, this machine's resources and the settings in force.\n"
          "\n"
          "      --doctor      show what a job of several nodes would use here, and why:\n"
          "                    limits, launchers, providers of the network\n"
          "      --test HOSTS  run a short test between these hosts (as for oshrun -H)\n"
          "      --settings    explain all settings, with the values in force\n"
          "      --settings=markdown, --settings=man\n"
          "                    print this as a page of documentation, without values\n"
          "  -V, --version     print the version\n"
          "  -h, --help        print this help\n"
          "\n"
          "The status is 0, 1 if a setting is malformed, or 2 for a wrong command line.\n"
          "With --test it is 0 if the test passes.\n",
          out);
}

static void print_version(FILE *out)
{
    fputs("tern-info (Tern) " TERN_VERSION "\n", out);
}

static void print_values(FILE *out)
{
    size_t n;
    const struct tern_setting *table = tern_settings_table(&n);
    char text[32];

    for (size_t i = 0; i < n; i++) {
        const char *origin = tern_setting_show(&table[i], text, sizeof text);

        fprintf(out, "  %-22s  %s", table[i].name, text);
        if (*origin && strcmp(origin, table[i].name) != 0)
            fprintf(out, " (from %s)", origin);
        else if (!*origin)
            fputs(" (default)", out);
        fputc('\n', out);
    }
}

static void print_all(FILE *out)
{
    fprintf(out,
            "Tern %s, OpenSHMEM %d.%d, built by %s for %s (%s)\n"
            "\n"
            "This machine\n",
            TERN_VERSION, SHMEM_MAJOR_VERSION, SHMEM_MINOR_VERSION, COMPILER, TERN_HOST,
            TERN_BUILD);
    tern_machine_print(out);
    fputs("  other machines  see tern-info --doctor\n"
          "\nSettings (explained by tern-info --settings)\n",
          out);
    print_values(out);
}

static const struct word {
    const char *word;
    void (*print)(FILE *out);
    bool reads_settings;
} words[] = {
    {"--doctor", tern_doctor_print, true},
    {"--settings", tern_settings_print, true},
    {"--settings=markdown", tern_pages_print_markdown, false},
    {"--settings=man", tern_pages_print_man, false},
    {"-V", print_version, false},
    {"--version", print_version, false},
    {"-h", print_help, false},
    {"--help", print_help, false},
};

static const struct word *find_word(const char *argument)
{
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strcmp(argument, words[i].word) == 0)
            return &words[i];
    return NULL;
}

/* The exit status: nonzero after a message if a setting is invalid. */
static int read_settings(void)
{
    char error[512];

    if (tern_settings_load(error, sizeof error) != 0) {
        tern_error("%s", error);
        return EXIT_FAILURE;
    }
    tern_log_set_debug(tern_settings()->debug);
    tern_settings_check_names();
    return EXIT_SUCCESS;
}

int main(int argc, char **argv)
{
    static const struct word everything = {.print = print_all, .reads_settings = true};
    const struct word *word = &everything;
    int status = EXIT_SUCCESS;

    tern_log_identify("tern-info");
    if (argc == 3 && strcmp(argv[1], "--test") == 0)
        return tern_test_run(argv[2]);
    if (argc > 1)
        word = find_word(argv[1]);
    if (!word || argc > 2) {
        tern_error("unknown option \"%s\": tern-info --help shows the options", argv[word ? 2 : 1]);
        return EXIT_USAGE;
    }
    if (word->reads_settings)
        status = read_settings();
    word->print(stdout);
    if (fflush(stdout) != 0) {
        tern_error("standard output can't be written: %s", strerror(errno));
        return EXIT_FAILURE;
    }
    return status;
}

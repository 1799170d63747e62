/* SPDX-License-Identifier: BSD-3-Clause */
/* tern-profile FOLDER: makes a summary, a page and a trace from the files that PEs wrote there. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/tool_protocol.h"
#include "tools/report/job.h"

static int write_file(const struct tern_report *report, const char *folder, const char *name,
                      void (*write)(const struct tern_report *report, FILE *out))
{
    char path[4096];
    FILE *file;
    int failed;

    snprintf(path, sizeof path, "%s/%s", folder, name);
    file = fopen(path, "we");
    if (!file) {
        fprintf(stderr, "tern-profile: %s can't be written: %s\n", path, strerror(errno));
        return 1;
    }
    write(report, file);
    failed = ferror(file);
    if (fclose(file) != 0 || failed) {
        fprintf(stderr, "tern-profile: %s could not be written\n", path);
        return 1;
    }
    return 0;
}

/* Removes the PEs' files, which the report contains now: the next job's must not mix with them. */
static void remove_parts(const struct tern_report *report, const char *folder)
{
    char name[32], path[4096];

    for (uint32_t i = 0; i < report->n_read; i++) {
        snprintf(name, sizeof name, TERN_PROFILE_PART, report->pes[i].head.pe);
        snprintf(path, sizeof path, "%s/%s", folder, name);
        unlink(path);
    }
}

static int print_help(void)
{
    puts("usage: tern-profile FOLDER\n"
         "Writes summary.txt, report.html and trace.json into FOLDER, from the files that\n"
         "the PEs of a profiled job wrote there. oshrun --profile does this by itself.\n"
         "\n"
         "  -h, --help  print this help\n"
         "\n"
         "The status is 0 if the report was written, 1 if it could not be, or 2 for a\n"
         "wrong command line.");
    if (fflush(stdout) != 0) {
        fprintf(stderr, "tern-profile: standard output can't be written: %s\n", strerror(errno));
        return 1;
    }
    return 0;
}

static int make_report(struct tern_report *report, const char *folder)
{
    int r = tern_report_read(report, folder);

    if (!r)
        r = tern_report_find_lines(report);
    if (!r)
        r = tern_report_sort_places(report);
    if (!r)
        r = tern_report_find_waits(report);
    return r ? r : tern_report_find_spots(report);
}

int main(int argc, char **argv)
{
    struct tern_report report = {0};
    int failed;

    if (argc == 2 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0))
        return print_help();
    if (argc != 2 || argv[1][0] == '-') {
        fputs("usage: tern-profile FOLDER\ntern-profile --help explains it\n", stderr);
        return 2;
    }
    failed = make_report(&report, argv[1]);
    if (failed) {
        if (failed == -ENOMEM)
            fprintf(stderr, "tern-profile: there is not enough memory for the report of %s\n",
                    argv[1]);
        tern_report_free(&report);
        return 1;
    }
    tern_report_print(&report, stderr);
    failed = write_file(&report, argv[1], "summary.txt", tern_report_print) |
             write_file(&report, argv[1], "report.html", tern_report_write_page) |
             write_file(&report, argv[1], "trace.json", tern_report_write_trace);
    if (!failed) {
        remove_parts(&report, argv[1]);
        fprintf(stderr, "\nMore in %s/report.html (a browser) and trace.json (ui.perfetto.dev)\n",
                argv[1]);
    }
    tern_report_free(&report);
    return failed;
}

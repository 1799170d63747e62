/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the source lines of call sites by addr2line. */
#include <errno.h>
#include <libgen.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/addr2line.h"
#include "tools/report/job.h"

static void name_by_address(struct tern_place *place)
{
    char copy[sizeof place->module];

    snprintf(copy, sizeof copy, "%s", place->module);
    snprintf(place->where, sizeof place->where, "%.200s+0x%llx", basename(copy),
             (unsigned long long)place->address);
}

static bool share_module(const struct tern_report *report, uint32_t i, uint32_t j)
{
    return strcmp(report->places[i].module, report->places[j].module) == 0;
}

/* Lists the places of a module, if `first` is the first of them; else returns 0. */
static uint32_t find_places(const struct tern_report *report, uint32_t first, uint32_t *indices)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < first; i++)
        if (share_module(report, i, first))
            return 0;
    for (uint32_t i = first; i < report->n_places; i++)
        if (share_module(report, i, first))
            indices[n++] = i;
    return n;
}

/* In the child. LD_PRELOAD is dropped, because tools must not be loaded into addr2line. */
static void become_addr2line(const struct tern_report *report, const uint32_t *indices, uint32_t n)
{
    static char program[] = "addr2line", options[] = "-ais", of_file[] = "-e";
    char **argv = calloc(n + 5, sizeof *argv);

    if (!argv)
        return;
    argv[0] = program;
    argv[1] = options;
    argv[2] = of_file;
    argv[3] = report->places[indices[0]].module;
    for (uint32_t i = 0; i < n; i++)
        /* The address is where the call returns to: the call itself is before it. */
        if (asprintf(&argv[4 + i], "0x%llx",
                     (unsigned long long)report->places[indices[i]].address - 1) < 0)
            return;
    unsetenv("LD_PRELOAD");
    execvp(program, argv);
}

/* Starts addr2line. Returns its output as a stream, or NULL. */
static FILE *ask(const struct tern_report *report, const uint32_t *indices, uint32_t n, pid_t *pid)
{
    int out[2];

    if (pipe(out) != 0)
        return NULL;
    *pid = fork();
    if (*pid == 0) {
        dup2(out[1], STDOUT_FILENO);
        close(out[0]);
        close(STDERR_FILENO);
        become_addr2line(report, indices, n);
        _exit(127);
    }
    close(out[1]);
    return fdopen(out[0], "r");
}

/* Parses the output: for each address in order, a line with it, then its source lines. */
static void find_lines(struct tern_report *report, const uint32_t *indices, uint32_t n)
{
    pid_t pid = -1;
    FILE *file = ask(report, indices, n, &pid);
    struct tern_place *place = NULL; /* the place whose source line comes next, or NULL */
    size_t bytes = 0;
    char *line = NULL;

    for (uint32_t i = 0; file && getline(&line, &bytes, file) > 0;) {
        line[strcspn(line, " \n")] = '\0';
        if (strncmp(line, "0x", 2) == 0) {
            place = i < n ? &report->places[indices[i++]] : NULL;
        } else if (place && !tern_addr2line_is_in_line(line)) {
            if (line[0] && line[0] != '?')
                snprintf(place->where, sizeof place->where, "%s", line);
            place = NULL;
        }
    }
    free(line);
    if (file)
        fclose(file);
    if (pid > 0)
        waitpid(pid, NULL, 0);
}

/* The compiler may have made several call sites of one call in the source. */
static void merge_same_lines(struct tern_report *report)
{
    for (uint32_t i = 0; i < report->n_places; i++)
        for (uint32_t j = i + 1; j < report->n_places; j++) {
            struct tern_place *place = &report->places[i], *same = &report->places[j];

            if (same->calls == 0 || strcmp(place->where, same->where) != 0 ||
                strcmp(place->routine, same->routine) != 0)
                continue;
            place->calls += same->calls;
            place->ns += same->ns;
            place->bytes += same->bytes;
            if (same->longest_ns > place->longest_ns)
                place->longest_ns = same->longest_ns;
            same->calls = same->ns = same->bytes = 0;
        }
}

int tern_report_find_lines(struct tern_report *report)
{
    uint32_t *indices = calloc(report->n_places + 1, sizeof *indices);

    if (!indices)
        return -ENOMEM;
    for (uint32_t i = 0; i < report->n_places; i++)
        name_by_address(&report->places[i]);
    for (uint32_t i = 0, n; i < report->n_places; i++) {
        n = find_places(report, i, indices);
        if (n > 0)
            find_lines(report, indices, n);
    }
    free(indices);
    merge_same_lines(report);
    return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Has addr2line say where in its source a program calls. */
#include <libgen.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tools/report/job.h"

static void name_by_address(struct tern_place *place)
{
    char copy[sizeof place->module];

    snprintf(copy, sizeof copy, "%s", place->module);
    snprintf(place->where, sizeof place->where, "%.200s+0x%llx", basename(copy),
             (unsigned long long)place->address);
}

/* Runs addr2line on one address; its only line of output, or an empty one. */
static void ask(const char *path, uint64_t address, char *answer, int answer_bytes)
{
    int out[2];
    char number[32];
    FILE *file;
    pid_t pid;

    answer[0] = '\0';
    snprintf(number, sizeof number, "0x%llx", (unsigned long long)address);
    if (pipe(out) != 0)
        return;
    pid = fork();
    if (pid == 0) {
        dup2(out[1], STDOUT_FILENO);
        close(out[0]);
        close(STDERR_FILENO);
        execlp("addr2line", "addr2line", "-s", "-e", path, number, NULL);
        _exit(127);
    }
    close(out[1]);
    file = fdopen(out[0], "r");
    if (file && !fgets(answer, answer_bytes, file))
        answer[0] = '\0';
    if (file)
        fclose(file);
    if (pid > 0)
        waitpid(pid, NULL, 0);
    answer[strcspn(answer, " \n")] = '\0';
}

/* The dearest places; looking up a line takes longer than most people want to wait for the rest. */
#define MOST_LINES 50

/* The compiler may have made several of one call. */
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

void tern_report_find_lines(struct tern_report *report)
{
    for (uint32_t i = 0; i < report->n_places; i++) {
        struct tern_place *place = &report->places[i];
        char line[sizeof place->where];

        name_by_address(place);
        if (i >= MOST_LINES)
            continue;
        /* The address is where the call returns to: the call itself is before it. */
        ask(place->module, place->address - 1, line, sizeof line);
        if (line[0] && line[0] != '?')
            snprintf(place->where, sizeof place->where, "%s", line);
    }
    merge_same_lines(report);
}

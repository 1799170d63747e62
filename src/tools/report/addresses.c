/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs addr2line, and parses its output. */
#include "tools/report/addresses.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/addr2line.h"

void tern_addresses_format(const struct tern_address *address, char *text, size_t bytes)
{
    const char *slash = strrchr(address->file, '/');

    snprintf(text, bytes, "%.200s+0x%llx", slash ? slash + 1 : address->file,
             (unsigned long long)address->address);
}

static bool share_file(const struct tern_address *one, const struct tern_address *other)
{
    return strcmp(one->file, other->file) == 0;
}

/* Lists the addresses of a file, if `first` is the first of them; else returns 0. */
static uint32_t find_file(const struct tern_address *addresses, uint32_t n, uint32_t first,
                          uint32_t *indices)
{
    uint32_t found = 0;

    for (uint32_t i = 0; i < first; i++)
        if (share_file(&addresses[i], &addresses[first]))
            return 0;
    for (uint32_t i = first; i < n; i++)
        if (share_file(&addresses[i], &addresses[first]))
            indices[found++] = i;
    return found;
}

/* In the child. LD_PRELOAD is dropped, because tools must not be loaded into addr2line. */
static void become_addr2line(const struct tern_address *addresses, const uint32_t *indices,
                             uint32_t n)
{
    static char program[] = "addr2line", options[] = "-afiCs", of_file[] = "-e";
    char **argv = calloc(n + 5, sizeof *argv);

    if (!argv)
        return;
    argv[0] = program;
    argv[1] = options;
    argv[2] = of_file;
    argv[3] = (char *)addresses[indices[0]].file;
    for (uint32_t i = 0; i < n; i++)
        if (asprintf(&argv[4 + i], "0x%llx", (unsigned long long)addresses[indices[i]].address) < 0)
            return;
    unsetenv("LD_PRELOAD");
    execvp(program, argv);
}

/* Starts addr2line. Returns its output as a stream, or NULL. */
static FILE *start_addr2line(const struct tern_address *addresses, const uint32_t *indices,
                             uint32_t n, pid_t *pid)
{
    int out[2];

    if (pipe(out) != 0)
        return NULL;
    *pid = fork();
    if (*pid == 0) {
        dup2(out[1], STDOUT_FILENO);
        close(out[0]);
        close(STDERR_FILENO);
        become_addr2line(addresses, indices, n);
        _exit(127);
    }
    close(out[1]);
    return fdopen(out[0], "r");
}

static void take(struct tern_address *address, const char *function, const char *line)
{
    if (function[0] != '?')
        snprintf(address->function, sizeof address->function, "%s", function);
    if (line[0] && line[0] != '?' && !strstr(line, ":?"))
        snprintf(address->line, sizeof address->line, "%s", line);
}

/*
 * Parses the output: for each address in order, a line with it, then a line with the function and
 * one with file and line; these are followed by those of the functions that it was inlined into.
 */
static void parse(FILE *answer, struct tern_address *addresses, const uint32_t *indices, uint32_t n)
{
    struct tern_address *next = NULL; /* the address whose line is to be read, or NULL */
    char function[128] = "", *text = NULL;
    size_t bytes = 0;
    bool has_function = false;

    for (uint32_t i = 0; getline(&text, &bytes, answer) > 0;) {
        text[strcspn(text, "\n")] = '\0';
        if (strncmp(text, "0x", 2) == 0) {
            next = i < n ? &addresses[indices[i++]] : NULL;
            has_function = false;
        } else if (!has_function) {
            snprintf(function, sizeof function, "%s", text);
            has_function = true;
        } else {
            text[strcspn(text, " ")] = '\0';
            has_function = false;
            if (next && !tern_addr2line_is_in_header(text)) {
                take(next, function, text);
                next = NULL;
            }
        }
    }
    free(text);
}

static void find_in_file(struct tern_address *addresses, const uint32_t *indices, uint32_t n)
{
    pid_t pid = -1;
    FILE *answer = start_addr2line(addresses, indices, n, &pid);

    if (answer) {
        parse(answer, addresses, indices, n);
        fclose(answer);
    }
    if (pid > 0)
        waitpid(pid, NULL, 0);
}

int tern_addresses_find(struct tern_address *addresses, uint32_t n)
{
    uint32_t *indices = calloc(n + 1, sizeof *indices);

    if (!indices)
        return -ENOMEM;
    for (uint32_t i = 0, found; i < n; i++) {
        found = find_file(addresses, n, i, indices);
        if (found > 0)
            find_in_file(addresses, indices, found);
    }
    free(indices);
    return 0;
}

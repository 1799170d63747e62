/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the source location of a call site by addr2line, once for each site. */
#include "tools/check/shared/source_location.h"

#include <dlfcn.h>
#include <elf.h>
#include <execinfo.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/addr2line.h"
#include "tools/check/shared/ishmem.h"
#include "tools/check/shared/python_line.h"

#define MOST_FRAMES 32

struct location {
    struct location *next;
    const void *site;
    char text[];
};

static struct location *locations;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

const char *tern_check_source_location_base_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}

/* Libraries for other languages, which make calls on behalf of the program. */
static bool is_between(const char *object)
{
    const char *name = tern_check_source_location_base_name(object);

    return strncmp(name, "libtern-fortran.", 16) == 0 || strncmp(name, "libishmem.", 10) == 0;
}

/* The frame of this library's wrapper is its last one. */
static const void *outer_site(const void *site)
{
    void *frames[MOST_FRAMES];
    int n = backtrace(frames, MOST_FRAMES), i = 0;
    Dl_info info;

    while (i < n && frames[i] != site)
        i++;
    for (; i < n; i++)
        if (dladdr(frames[i], &info) && !is_between(info.dli_fname))
            return frames[i];
    return site;
}

const void *tern_check_source_location_site(const struct tern_call *call)
{
    const void *set = tern_check_ishmem_site();
    char line[256];
    Dl_info info;

    if (set)
        return set;
    if (!dladdr(call->site, &info))
        return call->site;
    if (is_between(info.dli_fname))
        return outer_site(call->site);
    if (tern_check_python_line_is_caller(info.dli_fname) &&
        tern_check_python_line_read(line, sizeof line))
        return tern_check_source_location_named_site(line);
    return call->site;
}

/* The address within the file, which addr2line expects. */
static uintptr_t in_file(const void *address, const Dl_info *info)
{
    const Elf64_Ehdr *head = info->dli_fbase;
    uintptr_t location = (uintptr_t)address;

    return head->e_type == ET_EXEC ? location : location - (uintptr_t)head;
}

/* The environment without LD_PRELOAD: the tools are for PEs, not for addr2line. */
static char **plain_environment(void)
{
    size_t n = 0, kept = 0;
    char **plain;

    while (environ && environ[n])
        n++;
    plain = calloc(n + 1, sizeof *plain);
    for (size_t i = 0; plain && i < n; i++)
        if (strncmp(environ[i], "LD_PRELOAD=", 11) != 0)
            plain[kept++] = environ[i];
    return plain;
}

/* Starts addr2line with its output in a pipe. Returns the pipe's end to read from, or -1. */
static int start_addr2line(char *object, uintptr_t address, pid_t *pid)
{
    char number[32], *argv[] = {"addr2line", "-f", "-C", "-i", "-e", object, number, NULL};
    posix_spawn_file_actions_t actions;
    char **environment = plain_environment();
    int out[2], r = -1;

    snprintf(number, sizeof number, "0x%lx", (unsigned long)address);
    if (environment && pipe2(out, O_CLOEXEC) == 0) {
        posix_spawn_file_actions_init(&actions);
        posix_spawn_file_actions_adddup2(&actions, out[1], STDOUT_FILENO);
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
        r = posix_spawnp(pid, argv[0], &actions, NULL, argv, environment) == 0 ? out[0] : -1;
        posix_spawn_file_actions_destroy(&actions);
        close(out[1]);
        if (r < 0)
            close(out[0]);
    }
    free(environment);
    return r;
}

/* Reads a line, and keeps as much of it as there is room for. The names of templates are long. */
static bool read_line(FILE *answer, char *line, int bytes)
{
    if (!fgets(line, bytes, answer))
        return false;
    if (!strchr(line, '\n'))
        for (int c = 0; c != '\n' && c != EOF;)
            c = getc(answer);
    return true;
}

/* Whether a line is in a header of Tern or of the system, and not in the program's own files. */
static bool is_in_header(const char *line)
{
    return tern_addr2line_is_in_header(tern_check_source_location_base_name(line)) ||
           strncmp(line, "/usr/", 5) == 0;
}

/*
 * Reads a line with the function and one with file and line, of the innermost function that is the
 * program's own. Those of the functions that it was inlined into follow; if all are in headers, the
 * innermost one counts.
 */
static bool read_answer(FILE *answer, char *function, char *line, int bytes)
{
    char next_function[256], next_line[512];
    bool is_first = true, is_own = false;

    while (!is_own && read_line(answer, next_function, sizeof next_function) &&
           read_line(answer, next_line, sizeof next_line)) {
        is_own = !is_in_header(next_line);
        if (is_first || is_own) {
            snprintf(function, (size_t)bytes, "%.*s", bytes - 1, next_function);
            snprintf(line, (size_t)bytes, "%.*s", bytes - 1,
                     tern_check_source_location_base_name(next_line));
        }
        is_first = false;
    }
    function[strcspn(function, "\n")] = '\0';
    line[strcspn(line, " \n")] = '\0';
    return !is_first;
}

static bool ask(char *object, uintptr_t address, char *function, char *line, int bytes)
{
    pid_t pid;
    int fd = start_addr2line(object, address, &pid);
    FILE *answer = fd >= 0 ? fdopen(fd, "r") : NULL;
    bool complete = answer && read_answer(answer, function, line, bytes);

    if (answer)
        fclose(answer);
    else if (fd >= 0)
        close(fd);
    if (fd >= 0)
        waitpid(pid, NULL, 0);
    return complete;
}

static void look_up(const void *site, char *text, size_t size)
{
    const char *address = (const char *)site - 1; /* of the call itself, not of its return */
    char object[PATH_MAX], function[256] = "", line[512] = "";
    Dl_info info;

    if (!dladdr(address, &info)) {
        snprintf(text, size, "%p", site);
        return;
    }
    /* The program's name may be relative to the folder that it was started in. */
    snprintf(object, sizeof object, "%s", info.dli_fname);
    if (access(object, R_OK) != 0)
        snprintf(object, sizeof object, "/proc/%d/exe", (int)getpid());
    if (!ask(object, in_file(address, &info), function, line, sizeof function))
        strcpy(line, strcpy(function, "??"));
    if (line[0] != '?')
        snprintf(text, size, "%s", line);
    else if (function[0] != '?')
        snprintf(text, size, "%s in %s", function,
                 tern_check_source_location_base_name(info.dli_fname));
    else
        snprintf(text, size, "%s+0x%lx", tern_check_source_location_base_name(info.dli_fname),
                 (unsigned long)((uintptr_t)address - (uintptr_t)info.dli_fbase));
}

/* site: NULL to make one without an address, named by the text. */
static struct location *add(const void *site, const char *text)
{
    struct location *location = malloc(sizeof *location + strlen(text) + 1);

    if (location) {
        strcpy(location->text, text);
        location->site = site ? site : location->text;
        location->next = locations;
        locations = location;
    }
    return location;
}

const void *tern_check_source_location_named_site(const char *text)
{
    struct location *location;

    pthread_mutex_lock(&lock);
    for (location = locations;
         location && (location->site != location->text || strcmp(location->text, text) != 0);
         location = location->next)
        ;
    if (!location)
        location = add(NULL, text);
    pthread_mutex_unlock(&lock);
    return location ? location->text : NULL;
}

const char *tern_check_source_location_site_name(const void *site)
{
    const struct location *location;

    pthread_mutex_lock(&lock);
    for (location = locations; location && location->site != site; location = location->next)
        ;
    pthread_mutex_unlock(&lock);
    return location && location->site == location->text ? location->text : NULL;
}

const char *tern_check_source_location_text(const void *site)
{
    struct location *location;
    char text[512];

    pthread_mutex_lock(&lock);
    for (location = locations; location && location->site != site; location = location->next)
        ;
    if (!location) {
        look_up(site, text, sizeof text);
        location = add(site, text);
    }
    pthread_mutex_unlock(&lock);
    return location ? location->text : "a place without a name";
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Expands the kernel's core_pattern for a PE; see core(5). */
#include "launch/job/core_file.h"

#include <glob.h>
#include <libgen.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/os.h"
#include "base/text_buffer.h"

#define PATTERN "/proc/sys/kernel/core_pattern"
#define USES_PID "/proc/sys/kernel/core_uses_pid"

#define COMM_BYTES 15 /* of a process's name, to which the kernel cuts it off */

struct crash {
    const struct tern_pe *pe;
    pid_t pid;
    int signal;
};

bool tern_core_file_belongs_to(int signal)
{
    static const int signals[] = {SIGQUIT, SIGILL,  SIGTRAP, SIGABRT, SIGBUS,
                                  SIGFPE,  SIGSEGV, SIGSYS,  SIGXCPU, SIGXFSZ};

    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++)
        if (signals[i] == signal)
            return true;
    return false;
}

/* Copies up to `most` bytes; the kernel replaces slashes by exclamation marks. */
static void add_name(char *path, size_t bytes, const char *name, size_t most)
{
    for (; *name && most > 0; name++, most--)
        tern_text_buffer_add(path, bytes, "%c", *name == '/' ? '!' : *name);
}

/* Appends what a letter after % stands for. A pattern of glob() stands for what is not known. */
static void expand(const struct crash *crash, char letter, char *path, size_t bytes)
{
    const char *program = crash->pe->program->path, *slash = strrchr(program, '/');
    char host[HOST_NAME_MAX + 1] = "";

    switch (letter) {
    case '%':
        tern_text_buffer_add(path, bytes, "%%");
        break;
    case 'p':
        tern_text_buffer_add(path, bytes, "%d", (int)crash->pid);
        break;
    case 'u':
        tern_text_buffer_add(path, bytes, "%d", (int)getuid());
        break;
    case 'g':
        tern_text_buffer_add(path, bytes, "%d", (int)getgid());
        break;
    case 's':
        tern_text_buffer_add(path, bytes, "%d", crash->signal);
        break;
    case 'h':
        gethostname(host, sizeof host - 1);
        tern_text_buffer_add(path, bytes, "%s", host);
        break;
    case 'f':
        add_name(path, bytes, slash ? slash + 1 : program, NAME_MAX);
        break;
    case 'e':
        add_name(path, bytes, slash ? slash + 1 : program, COMM_BYTES);
        break;
    default: /* the time, numbers in other namespaces */
        tern_text_buffer_add(path, bytes, "*");
    }
}

/* Makes the absolute path, as a pattern of glob(). */
static void expand_all(const struct crash *crash, const char *pattern, char *path, size_t bytes)
{
    const char *directory = crash->pe->program->directory;
    char uses_pid[16], here[PATH_MAX] = ".";

    path[0] = '\0';
    if (pattern[0] != '/') {
        if (!directory && getcwd(here, sizeof here))
            directory = here;
        tern_text_buffer_add(path, bytes, "%s/", directory ? directory : here);
    }
    for (const char *c = pattern; *c; c++)
        if (*c == '%' && c[1])
            expand(crash, *++c, path, bytes);
        else
            tern_text_buffer_add(path, bytes, "%c", *c);
    if (!strstr(pattern, "%p") && tern_os_read_line(USES_PID, uses_pid, sizeof uses_pid) &&
        strtol(uses_pid, NULL, 10) != 0)
        tern_text_buffer_add(path, bytes, ".%d", (int)crash->pid);
}

/* Replaces the pattern by the path of the latest file that it fits. False if there is none. */
static bool find_file(char *path, size_t bytes)
{
    struct stat file;
    glob_t found;
    time_t latest = 0;
    char pattern[PATH_MAX];

    snprintf(pattern, sizeof pattern, "%s", path);
    path[0] = '\0';
    if (glob(pattern, 0, NULL, &found) != 0)
        return false;
    for (size_t i = 0; i < found.gl_pathc; i++)
        if (stat(found.gl_pathv[i], &file) == 0 && file.st_mtime >= latest) {
            latest = file.st_mtime;
            snprintf(path, bytes, "%s", found.gl_pathv[i]);
        }
    globfree(&found);
    return path[0];
}

/* pattern: "|/usr/lib/systemd/systemd-coredump %P ...". */
static void describe_program(const struct crash *crash, char *pattern, char *text, size_t bytes)
{
    char *program = pattern + 1 + strspn(pattern + 1, " ");

    program[strcspn(program, " ")] = '\0';
    if (strstr(program, "systemd-coredump"))
        snprintf(text, bytes,
                 "systemd-coredump has the core file of PE %u: coredumpctl gdb %d opens it",
                 crash->pe->number, (int)crash->pid);
    else if (strstr(program, "apport"))
        snprintf(
            text, bytes,
            "apport has the core file of PE %u: look in /var/lib/apport/coredump and /var/crash",
            crash->pe->number);
    else
        snprintf(text, bytes, "the system has passed the core file of PE %u to %s (" PATTERN ")",
                 crash->pe->number, program);
}

void tern_core_file_describe(const struct tern_pe *pe, int signal, char *text, size_t bytes)
{
    struct crash crash = {pe, pe->inner ? pe->inner : pe->pid, signal};
    char pattern[512], path[PATH_MAX];

    if (!tern_os_read_line(PATTERN, pattern, sizeof pattern) || !pattern[0])
        strcpy(pattern, "core");
    if (pattern[0] == '|') {
        describe_program(&crash, pattern, text, bytes);
        return;
    }
    expand_all(&crash, pattern, path, sizeof path);
    if (find_file(path, sizeof path))
        snprintf(text, bytes, "the core file of PE %u is %s: gdb %s %s opens it", pe->number, path,
                 pe->program->path, path);
    else
        snprintf(text, bytes,
                 "the core file of PE %u has the name \"%s\" (" PATTERN "), in the PE's working "
                 "directory unless the name has another",
                 pe->number, pattern);
}

void tern_core_file_explain(char *text, size_t bytes)
{
    char pattern[512] = "core";
    struct rlimit limit;

    tern_os_read_line(PATTERN, pattern, sizeof pattern);
    if (getrlimit(RLIMIT_CORE, &limit) == 0 && limit.rlim_cur == 0)
        snprintf(text, bytes,
                 "there is no core file, since its size is limited to 0: "
                 "ulimit -c unlimited before oshrun allows one");
    else
        snprintf(text, bytes, "there is no core file: \"%s\" (" PATTERN ") could not be written",
                 pattern);
}

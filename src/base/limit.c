/* SPDX-License-Identifier: BSD-3-Clause */
/* The limits of threads and memory, read when one has been reached. */
#include "base/limit.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/log.h"
#include "base/os.h"

/* Nothing here allocates memory, because there may be none. */

static uint64_t number_in(const char *path, uint64_t otherwise)
{
    char line[64], *end;
    uint64_t number;

    if (!tern_os_read_line(path, line, sizeof line))
        return otherwise;
    number = strtoull(line, &end, 10);
    return end == line ? otherwise : number;
}

/* ---- threads ---- */

static void full_group(const char *dir, const char *path, void *arg)
{
    uint64_t most = number_in(path, UINT64_MAX), *full = arg;
    char current[1700];

    snprintf(current, sizeof current, "%s/pids.current", dir);
    if (most != UINT64_MAX && number_in(current, 0) >= most)
        *full = most;
}

static bool explain_group(char *text)
{
    uint64_t full = UINT64_MAX;

    tern_os_each_pids_group(full_group, &full);
    if (full == UINT64_MAX)
        return false;
    snprintf(text, TERN_LIMIT_BYTES, "pids.max of the control group is %" PRIu64, full);
    return true;
}

static bool explain_processes(char *text)
{
    struct rlimit limit;

    if (getrlimit(RLIMIT_NPROC, &limit) || limit.rlim_cur == RLIM_INFINITY)
        return false;
    snprintf(text, TERN_LIMIT_BYTES, "RLIMIT_NPROC is %" PRIu64 " (ulimit -u)",
             (uint64_t)limit.rlim_cur);
    return true;
}

/* ---- memory ---- */

static bool explain_resource(int resource, const char *name, uint64_t used, size_t bytes,
                             char *text)
{
    struct rlimit limit;

    if (getrlimit((__rlimit_resource_t)resource, &limit) || limit.rlim_cur == RLIM_INFINITY ||
        used + bytes <= limit.rlim_cur)
        return false;
    snprintf(text, TERN_LIMIT_BYTES, "%s is %" PRIu64 " KiB, of which %" PRIu64 " are used", name,
             (uint64_t)limit.rlim_cur >> 10, used >> 10);
    return true;
}

/* Mappings of this process. */
static uint64_t count_maps(void)
{
    int fd = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
    char chunk[4096];
    uint64_t lines = 0;
    ssize_t n;

    if (fd < 0)
        return 0;
    while ((n = read(fd, chunk, sizeof chunk)) > 0)
        for (ssize_t i = 0; i < n; i++)
            lines += chunk[i] == '\n';
    close(fd);
    return lines;
}

static bool explain_maps(char *text)
{
    uint64_t most = number_in("/proc/sys/vm/max_map_count", UINT64_MAX);

    if (most == UINT64_MAX || count_maps() + 1 < most)
        return false;
    snprintf(text, TERN_LIMIT_BYTES, "vm.max_map_count is %" PRIu64, most);
    return true;
}

static bool explain_addresses(size_t bytes, char *text)
{
    uint64_t pages[6] = {0}, page = tern_os_page_size();
    char line[128] = "";

    if (tern_os_read_line("/proc/self/statm", line, sizeof line))
        sscanf(line, "%" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64,
               &pages[0], &pages[1], &pages[2], &pages[3], &pages[4], &pages[5]);
    return explain_resource(RLIMIT_AS, "RLIMIT_AS (ulimit -v)", pages[0] * page, bytes, text) ||
           explain_resource(RLIMIT_DATA, "RLIMIT_DATA (ulimit -d)", pages[5] * page, bytes, text) ||
           explain_maps(text);
}

static size_t stack_bytes(void)
{
    pthread_attr_t attr;
    size_t bytes = 0;

    if (pthread_attr_init(&attr))
        return 0;
    pthread_attr_getstacksize(&attr, &bytes);
    pthread_attr_destroy(&attr);
    return bytes;
}

/* ---- descriptors ---- */

static bool explain_files(char *text)
{
    struct rlimit limit;

    if (getrlimit(RLIMIT_NOFILE, &limit) || limit.rlim_cur == RLIM_INFINITY)
        return false;
    snprintf(text, TERN_LIMIT_BYTES, "RLIMIT_NOFILE is %" PRIu64 " (ulimit -n)",
             (uint64_t)limit.rlim_cur);
    return true;
}

/* ---- the interface ---- */

void tern_limit_explain(enum tern_limit what, size_t bytes, char text[TERN_LIMIT_BYTES])
{
    bool found;

    if (what == TERN_LIMIT_THREADS)
        found = explain_group(text) || explain_addresses(stack_bytes(), text) ||
                explain_processes(text);
    else if (what == TERN_LIMIT_LOCKED)
        found = explain_resource(RLIMIT_MEMLOCK, "RLIMIT_MEMLOCK (ulimit -l)", 0, bytes, text) ||
                explain_addresses(bytes, text);
    else if (what == TERN_LIMIT_FILES)
        found = explain_files(text);
    else
        found = explain_addresses(bytes, text);
    if (!found)
        snprintf(
            text, TERN_LIMIT_BYTES,
            "no limit of this process is reached, so the machine or its container has no more");
}

void tern_limit_explain_error(int error, char text[TERN_LIMIT_ERROR_BYTES])
{
    char limit[TERN_LIMIT_BYTES];

    if (error == EMFILE || error == ENOMEM) {
        tern_limit_explain(error == EMFILE ? TERN_LIMIT_FILES : TERN_LIMIT_MEMORY, 0, limit);
        snprintf(text, TERN_LIMIT_ERROR_BYTES, "%s: %s", strerror(error), limit);
    } else {
        snprintf(text, TERN_LIMIT_ERROR_BYTES, "%s", strerror(error));
    }
}

int tern_limit_report(int error, const char *what, ...)
{
    char why[TERN_LIMIT_ERROR_BYTES], text[512];
    va_list args;

    va_start(args, what);
    vsnprintf(text, sizeof text, what, args);
    va_end(args);
    tern_limit_explain_error(error, why);
    tern_error("%s: %s", text, why);
    return -error;
}

void tern_limit_no_memory(const char *routine, const char *what, size_t bytes)
{
    char limit[TERN_LIMIT_BYTES];

    tern_limit_explain(TERN_LIMIT_MEMORY, bytes, limit);
    tern_fatal(routine, "no memory for %s, %zu bytes: %s", what, bytes, limit);
}

void tern_limit_warn(const char *routine, const char *what, size_t bytes)
{
    char limit[TERN_LIMIT_BYTES];

    tern_limit_explain(TERN_LIMIT_MEMORY, bytes, limit);
    tern_warn("%s: no memory for %s, %zu bytes: %s", routine, what, bytes, limit);
}

int tern_limit_refuse(const char *what, size_t bytes)
{
    char limit[TERN_LIMIT_BYTES];

    tern_limit_explain(TERN_LIMIT_MEMORY, bytes, limit);
    tern_error("no memory for %s, %zu bytes: %s", what, bytes, limit);
    return -ENOMEM;
}

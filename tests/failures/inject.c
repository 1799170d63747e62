/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Makes one call of Tern fail. inject_libc.c wraps the C library, inject_fabric.c libfabric; both
 * are preloaded. Only calls that return into oshrun or Tern's libraries count: the C library's and
 * libfabric's own calls are theirs to answer for.
 *
 * FAILURES_LOG   a file: a line "counted WHO FUNCTION SITE PHASE" for each call, or "failed ..." if
 *                it was made to fail. WHO is `oshrun` or the number of a PE; SITE is FILE+OFFSET.
 * FAILURES_FAIL  "WHO FUNCTION SITE PHASE K": the Kth such call fails; without it, none does
 */
#include "inject.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

static struct {
    char who[16]; /* empty: not a process of the job */
    const char *log, *phase;
    const void *oshrun; /* where oshrun is loaded */
    char function[64], site[128], failing_phase[16];
    long k, seen;
    bool started;
} state = {.phase = "start"};

__attribute__((visibility("default"))) void failures_phase(const char *phase)
{
    state.phase = phase;
}

static const char *last_part(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}

static void identify(void)
{
    static const char *const numbers[] = {"TERN_PE", "PMI_RANK", "PMIX_RANK"};
    const char *pe = NULL;
    char path[4096] = "";
    Dl_info program;

    for (size_t i = 0; !pe && i < sizeof numbers / sizeof *numbers; i++)
        pe = getenv(numbers[i]);
    if (readlink("/proc/self/exe", path, sizeof path - 1) > 0 &&
        strcmp(last_part(path), "oshrun") == 0 && dladdr((void *)getauxval(AT_PHDR), &program)) {
        state.oshrun = program.dli_fbase;
        strcpy(state.who, "oshrun");
    } else if (pe && strlen(pe) < sizeof state.who) {
        strcpy(state.who, pe);
    }
}

/* At the first call: constructors of other libraries may run before one of this library. */
static void start(void)
{
    const char *fail = getenv("FAILURES_FAIL");
    char who[sizeof state.who];

    state.started = true;
    identify();
    state.log = getenv("FAILURES_LOG");
    if (fail && (sscanf(fail, "%15s %63s %127s %15s %ld", who, state.function, state.site,
                        state.failing_phase, &state.k) != 5 ||
                 strcmp(who, state.who) != 0))
        state.k = 0;
}

static void note(const char *what, const char *function, const char *site)
{
    char line[512];
    int n = snprintf(line, sizeof line, "%s %s %s %s %s\n", what, state.who, function, site,
                     state.phase);
    int fd = open(state.log, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);

    if (fd < 0 || write(fd, line, (size_t)n) != n)
        abort();
    close(fd);
}

/* The file whose code `caller` is, or NULL if its calls do not count. */
static const struct link_map *find(const void *caller)
{
    struct link_map *file;
    Dl_info of;

    if (!state.started)
        start();
    if (!state.who[0] || !state.log || !dladdr1(caller, &of, (void **)&file, RTLD_DL_LINKMAP) ||
        (of.dli_fbase != state.oshrun && strncmp(last_part(of.dli_fname), "libtern", 7) != 0))
        return NULL;
    return file;
}

bool inject_counts(const void *caller)
{
    return find(caller);
}

bool inject_now(const char *function, const void *caller)
{
    int before = errno;
    const struct link_map *file = find(caller);
    const char *name = "oshrun";
    char site[128];
    bool now;

    if (!file)
        return false;
    if (!state.oshrun)
        name = last_part(file->l_name);
    snprintf(site, sizeof site, "%s+0x%lx", name,
             (unsigned long)((uintptr_t)caller - file->l_addr));
    now = state.k > 0 && strcmp(function, state.function) == 0 && strcmp(site, state.site) == 0 &&
          strcmp(state.phase, state.failing_phase) == 0 &&
          __atomic_add_fetch(&state.seen, 1, __ATOMIC_RELAXED) == state.k;
    if (now || !state.k)
        note(now ? "failed" : "counted", function, site);
    errno = before;
    return now;
}

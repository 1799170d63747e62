/* SPDX-License-Identifier: BSD-3-Clause */
/* Prepares the folder of a profile, and runs tern-profile after the job. */
#include "launch/tools/profile.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/limit.h"
#include "base/log.h"
#include "base/os.h"
#include "base/tool_protocol.h"
#include "launch/plan/limits.h"
#include "launch/tools/installed.h"

static bool prepared;

static int remove_parts(const char *folder)
{
    DIR *dir = opendir(folder);
    struct dirent *entry;
    unsigned pe;

    if (!dir)
        return -errno;
    while ((entry = readdir(dir)))
        if (tern_profile_is_part(entry->d_name, &pe))
            unlinkat(dirfd(dir), entry->d_name, 0);
    closedir(dir);
    return 0;
}

int tern_profile_prepare(void)
{
    const char *folder = getenv(TERN_PROFILE_VARIABLE);
    char path[PATH_MAX];
    int r;

    if (!folder || !*folder)
        folder = TERN_PROFILE_FOLDER;
    r = mkdir(folder, 0777) == 0 || errno == EEXIST ? 0 : -errno;
    if (!r)
        r = remove_parts(folder);
    if (!r && (!realpath(folder, path) || setenv(TERN_PROFILE_VARIABLE, path, 1) != 0))
        r = -errno;
    if (r)
        tern_limit_report(-r, "the profile can't be written to the folder \"%s\"", folder);
    prepared = r == 0;
    return r;
}

static void report_no_process(const char *path, int error)
{
    char why[TERN_LIMITS_START_BYTES];

    tern_limits_explain_start(error, why);
    tern_warn("the profile has no report: %s can't be started: %s", path, why);
}

void tern_profile_report(void)
{
    char now[32], path[PATH_MAX], *argv[] = {path, getenv(TERN_PROFILE_VARIABLE), NULL};
    posix_spawnattr_t attributes;
    sigset_t none;
    pid_t pid;
    int r;

    if (!prepared)
        return;
    if (!tern_installed_find("tern-profile", "../tools/tern-profile", path)) {
        report_no_process("tern-profile", errno);
        return;
    }
    snprintf(now, sizeof now, "%" PRIu64, tern_os_now_ns());
    setenv(TERN_PROFILE_ENDED_VARIABLE, now, 1);
    unsetenv("LD_PRELOAD"); /* it contains tools, and what the user set, for the PEs */
    sigemptyset(&none);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
    r = posix_spawn(&pid, path, NULL, &attributes, argv, environ);
    posix_spawnattr_destroy(&attributes);
    if (r)
        report_no_process(path, r);
    else
        waitpid(pid, NULL, 0);
}

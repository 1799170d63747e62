/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the library, its programs and its tools relative to the running program. */
#include "launch/tools/installed.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/limit.h"
#include "base/log.h"

bool tern_installed_find(const char *installed, const char *built, char *path)
{
    const char *const candidates[] = {installed, built};
    char self[PATH_MAX], joined[PATH_MAX];
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);

    while (n > 0 && self[n - 1] != '/')
        n--;
    for (int i = 0; n > 0 && i < 2; i++)
        if (snprintf(joined, sizeof joined, "%.*s%s", (int)n, self, candidates[i]) <
                (int)sizeof joined &&
            realpath(joined, path))
            return true;
    path[0] = '\0';
    return false;
}

int tern_installed_find_tool(const char *installed, const char *built, char *path)
{
    char why[TERN_LIMIT_ERROR_BYTES];

    if (tern_installed_find(installed, built, path))
        return 0;
    tern_limit_explain_error(errno, why);
    tern_error("a tool is missing: neither %s nor %s exists, relative to the folder of oshrun: "
               "install Tern again: %s",
               installed, built, why);
    return -ENOENT;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Looks for the library and its programs around this one. */
#include "info/place.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The first of two paths, relative to a folder, where there is such a file; or an empty text. */
static void find(const char *folder, const char *installed, const char *built, char *path)
{
    const char *const candidates[] = {installed, built};
    char joined[PATH_MAX];

    path[0] = '\0';
    for (int i = 0; i < 2; i++) {
        if (snprintf(joined, sizeof joined, "%s/%s", folder, candidates[i]) < (int)sizeof joined &&
            realpath(joined, path))
            return;
        path[0] = '\0';
    }
}

void tern_place_find(struct tern_installation *installation)
{
    char folder[PATH_MAX] = "";
    ssize_t n = readlink("/proc/self/exe", folder, sizeof folder - 1);
    char *slash;

    if (n > 0)
        folder[n] = '\0';
    slash = strrchr(folder, '/');
    if (slash)
        *slash = '\0';
    find(folder, TERN_LIBDIR "/libtern.so", "../libtern.so", installation->library);
    find(folder, "oshrun", "../launch/oshrun", installation->oshrun);
    find(folder, TERN_LIBDIR "/tern/self-test", "self-test", installation->self_test);
}

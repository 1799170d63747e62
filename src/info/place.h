/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the files of the installation that tern-info belongs to. */
#ifndef TERN_INFO_PLACE_H
#define TERN_INFO_PLACE_H

#include <limits.h>

struct tern_installation {
    char library[PATH_MAX]; /* empty if not found */
    char oshrun[PATH_MAX];
    char self_test[PATH_MAX];
};

/* Searches an installation, or a build tree. */
void tern_place_find(struct tern_installation *installation);

#endif

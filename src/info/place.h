/* SPDX-License-Identifier: BSD-3-Clause */
/* Where the rest of this installation is, seen from tern-info. */
#ifndef TERN_INFO_PLACE_H
#define TERN_INFO_PLACE_H

#include <limits.h>

struct tern_installation {
    char library[PATH_MAX]; /* empty: not found */
    char oshrun[PATH_MAX];
    char self_test[PATH_MAX];
};

/* Installed, or in a build tree. */
void tern_place_find(struct tern_installation *installation);

#endif

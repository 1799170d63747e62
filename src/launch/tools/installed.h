/* SPDX-License-Identifier: BSD-3-Clause */
/* The other files of this installation, or of this build tree. */
#ifndef TERN_LAUNCH_TOOLS_INSTALLED_H
#define TERN_LAUNCH_TOOLS_INSTALLED_H

#include <stdbool.h>

/*
 * Finds a file by where it is from the folder of the running program, once installed or else in a
 * build tree. path has room for PATH_MAX, and is empty if there is neither.
 */
bool tern_installed_find(const char *installed, const char *built, char *path);

/*
 * Finds a file of a tool in the same way. Returns 0, or -ENOENT after a message that names the
 * file.
 */
int tern_installed_find_tool(const char *installed, const char *built, char *path);

#endif

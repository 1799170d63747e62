/* SPDX-License-Identifier: BSD-3-Clause */
/* The files of this installation or build tree. */
#ifndef TERN_LAUNCH_TOOLS_INSTALLED_H
#define TERN_LAUNCH_TOOLS_INSTALLED_H

#include <stdbool.h>

/*
 * Finds a file by its path relative to the folder of the running program: `installed` in an
 * installation, else `built` in a build tree. path has PATH_MAX bytes; it is empty if the file is
 * missing.
 */
bool tern_installed_find(const char *installed, const char *built, char *path);

/* Finds a file of a tool in the same way. Returns 0, or -ENOENT after a message. */
int tern_installed_find_tool(const char *installed, const char *built, char *path);

#endif

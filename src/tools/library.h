/* SPDX-License-Identifier: BSD-3-Clause */
/* The OpenSHMEM library behind a tool. */
#ifndef TERN_TOOLS_LIBRARY_H
#define TERN_TOOLS_LIBRARY_H

/*
 * Finds the routine that the tool's wrapper of this name calls: the next tool's, if tools are
 * stacked, or else the library's, if need be by its profiling name. NULL if there is none. A
 * library that the program has loaded itself is never unloaded after that.
 */
void *tern_library_find(const char *name);

#endif

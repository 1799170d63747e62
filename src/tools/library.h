/* SPDX-License-Identifier: BSD-3-Clause */
/* The OpenSHMEM library behind a tool. */
#ifndef TERN_TOOLS_LIBRARY_H
#define TERN_TOOLS_LIBRARY_H

/*
 * The routine of that name which a call through the tool reaches: that of the next tool, so that
 * tools can be stacked, or that of the library, which may have only its profiling name. NULL if
 * there is none. A library that the program has loaded itself stays loaded from here on.
 */
void *tern_library_find(const char *name);

#endif

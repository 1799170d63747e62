/* SPDX-License-Identifier: BSD-3-Clause */
/* What a program's file says of the libraries that it was linked with. */
#ifndef TERN_LAUNCH_NEEDS_H
#define TERN_LAUNCH_NEEDS_H

#include <stdbool.h>

#define TERN_NEEDS_NAME 64

struct tern_needs {
    bool interpreter;            /* it is not static; true also if that is not known */
    bool tern;                   /* libtern.so.0, or another library of Tern */
    char other[TERN_NEEDS_NAME]; /* another OpenSHMEM library, as in "liboshmem.so.40"; or empty */
};

/*
 * Reads the headers and the dynamic section of an ELF file, without running or mapping it. Any
 * content is safe: of a file that is damaged or of another machine nothing is known.
 */
void tern_needs_read(struct tern_needs *needs, int fd);

/* The project whose library has this name, or NULL where several have used it. */
const char *tern_needs_project(const char *library);

#endif

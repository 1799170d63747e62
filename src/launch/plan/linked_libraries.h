/* SPDX-License-Identifier: BSD-3-Clause */
/* What a program's file says of the libraries that it was linked with. */
#ifndef TERN_LAUNCH_PLAN_LINKED_LIBRARIES_H
#define TERN_LAUNCH_PLAN_LINKED_LIBRARIES_H

#include <stdbool.h>

#define TERN_LINKED_LIBRARIES_NAME 64

struct tern_linked_libraries {
    bool interpreter; /* it is not static; true also if that is not known */
    bool tern;        /* libtern.so.0, or another library of Tern */

    /* Another OpenSHMEM library, as in "liboshmem.so.40"; or empty. */
    char other[TERN_LINKED_LIBRARIES_NAME];
};

/*
 * Reads the headers and the dynamic section of an ELF file, without running or mapping it. Any
 * content is safe: of a file that is damaged or of another machine nothing is known.
 */
void tern_linked_libraries_read(struct tern_linked_libraries *libraries, int fd);

/* The project whose library has this name, or NULL where several have used it. */
const char *tern_linked_libraries_project(const char *library);

#endif

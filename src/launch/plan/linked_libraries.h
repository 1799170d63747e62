/* SPDX-License-Identifier: BSD-3-Clause */
/* The OpenSHMEM libraries, and the sanitizer, that a program is linked with. */
#ifndef TERN_LAUNCH_PLAN_LINKED_LIBRARIES_H
#define TERN_LAUNCH_PLAN_LINKED_LIBRARIES_H

#include <stdbool.h>

#define TERN_LINKED_LIBRARIES_NAME 64

struct tern_linked_libraries {
    bool interpreter; /* it is linked dynamically, or that is unknown */
    bool tern;        /* it needs libtern.so.0, or another library of Tern */

    /* The other OpenSHMEM library that it needs, such as "liboshmem.so.40", or empty. */
    char other[TERN_LINKED_LIBRARIES_NAME];

    /* The runtime of AddressSanitizer that it needs, such as "libasan.so.8", or empty. */
    char sanitizer[TERN_LINKED_LIBRARIES_NAME];
};

/*
 * Reads an ELF file, without running or mapping it. Damaged files and those for other
 * machines do no harm, and give no libraries.
 */
void tern_linked_libraries_read(struct tern_linked_libraries *libraries, int fd);

/* The project whose library has this name, or NULL if several projects use it. */
const char *tern_linked_libraries_project(const char *library);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* The program's static and global objects, by the symbol tables of its file and its libraries. */
#ifndef TERN_CHECK_STATIC_OBJECTS_H
#define TERN_CHECK_STATIC_OBJECTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tools/quick.h"

struct tern_check_static_object {
    uintptr_t start;
    size_t size;
    const char *name;
    bool is_symmetric; /* the library has said so: the user's to fill in */
};

/* Whether the program's own file has its data there. */
static inline bool tern_check_static_objects_span(uintptr_t address)
{
    return tern_span_has(&tern_quick.program, address);
}

/* Lists the files that are loaded. */
void tern_check_static_objects_start(void);

/*
 * The object that the address is in, or NULL: also where a file has no symbols, or the address lies
 * in none of them. The caller holds a lock.
 */
struct tern_check_static_object *tern_check_static_objects_find(uintptr_t address);

#endif

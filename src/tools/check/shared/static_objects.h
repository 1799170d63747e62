/* SPDX-License-Identifier: BSD-3-Clause */
/* The program's static and global objects, from the symbol tables of its file and its libraries. */
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
    bool is_symmetric; /* the library accepted it as symmetric; set by the caller */
};

/* Whether the address is in the data of the program's own file. */
static inline bool tern_check_static_objects_span(uintptr_t address)
{
    return tern_span_has(&tern_quick.program, address);
}

/* Lists the loaded files. */
void tern_check_static_objects_start(void);

/* The object that contains the address; NULL if there is none, or the file has no symbols. */
struct tern_check_static_object *tern_check_static_objects_find(uintptr_t address);

/* Writes the object's name as the source has it, without what compilers add. */
void tern_check_static_objects_name(const struct tern_check_static_object *object, char *name,
                                    size_t size);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* Names addresses by objects of the program and blocks of the heap. */
#include "tools/check/name.h"

#include <stdio.h>

#include "tools/check/memory.h"
#include "tools/check/statics.h"

/* The beginning of a thing has its name, the rest has a distance from it. */
static void add_distance(char *text, size_t size, uintptr_t distance, const char *name)
{
    if (distance == 0)
        snprintf(text, size, "%s", name);
    else
        snprintf(text, size, "%lu bytes into %s", (unsigned long)distance, name);
}

void tern_check_name(const void *address, char *text, size_t size)
{
    uintptr_t place = (uintptr_t)address;
    const struct tern_check_static *object = tern_check_statics_find(place);
    const struct tern_check_block *block = tern_check_memory_find(place);
    char name[256], origin[200];

    if (object) {
        add_distance(text, size, place - object->start, object->name);
    } else if (block) {
        tern_check_origin_format(&block->allocated, origin, sizeof origin);
        snprintf(name, sizeof name, "the block of %s", origin);
        add_distance(text, size, place - block->start, name);
    } else {
        snprintf(text, size, "%p", address);
    }
}

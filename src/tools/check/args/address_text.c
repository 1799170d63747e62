/* SPDX-License-Identifier: BSD-3-Clause */
/* Names addresses by objects of the program and blocks of the heap. */
#include "tools/check/args/address_text.h"

#include <stdio.h>
#include <string.h>

#include "tools/check/args/blocks.h"
#include "tools/check/shared/static_objects.h"

/* An address within an object or block is its name and the distance from its start. */
static void add_distance(char *text, size_t size, uintptr_t distance, const char *name)
{
    if (distance == 0)
        snprintf(text, size, "%s", name);
    else
        snprintf(text, size, "%lu bytes into %s", (unsigned long)distance, name);
}

void tern_check_address_text_format(const void *address, char *text, size_t size)
{
    uintptr_t at = (uintptr_t)address;
    const struct tern_check_static_object *object = tern_check_static_objects_find(at);
    const struct tern_check_block *block = tern_check_blocks_find(at);
    char name[256], origin[200];

    if (object) {
        tern_check_static_objects_name(object, name, sizeof name);
        add_distance(text, size, at - object->start, name);
    } else if (block) {
        tern_check_blocks_format_origin(&block->allocated, origin, sizeof origin);
        snprintf(name, sizeof name, "the block of %s", origin);
        add_distance(text, size, at - block->start, name);
    } else {
        snprintf(text, size, "%p", address);
    }
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Names addresses by objects of the program and blocks of the heap. */
#include "tools/check/args/address_text.h"

#include <stdio.h>
#include <string.h>

#include "tools/check/args/blocks.h"
#include "tools/check/shared/static_objects.h"

/*
 * An address within an object or block is its name and the distance from its start. element: its
 * size in bytes, where the distance is to be an index; else 0.
 */
static void add_distance(char *text, size_t size, uintptr_t distance, const char *name,
                         size_t element)
{
    if (distance == 0)
        snprintf(text, size, "%s", name);
    else if (element > 1 && distance % element == 0)
        snprintf(text, size, "%s[%lu]", name, (unsigned long)(distance / element));
    else
        snprintf(text, size, "%lu bytes into %s", (unsigned long)distance, name);
}

/* Blocks have no name, but elements. */
static void add_block(char *text, size_t size, uintptr_t distance, const char *origin,
                      size_t element)
{
    if (distance && element > 1 && distance % element == 0)
        snprintf(text, size, "element %lu of the block of %s", (unsigned long)(distance / element),
                 origin);
    else if (distance)
        snprintf(text, size, "%lu bytes into the block of %s", (unsigned long)distance, origin);
    else
        snprintf(text, size, "the block of %s", origin);
}

void tern_check_address_text_format(const void *address, char *text, size_t size)
{
    tern_check_address_text_format_element(address, 0, text, size);
}

void tern_check_address_text_format_element(const void *address, size_t element, char *text,
                                            size_t size)
{
    uintptr_t at = (uintptr_t)address;
    const struct tern_check_static_object *object = tern_check_static_objects_find(at);
    const struct tern_check_block *block = tern_check_blocks_find(at);
    char name[256], origin[200];

    if (object) {
        tern_check_static_objects_name(object, name, sizeof name);
        add_distance(text, size, at - object->start, name, element);
    } else if (block) {
        tern_check_blocks_format_origin(&block->allocated, origin, sizeof origin);
        add_block(text, size, at - block->start, origin, element);
    } else {
        snprintf(text, size, "%p", address);
    }
}

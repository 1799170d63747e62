/* SPDX-License-Identifier: BSD-3-Clause */
/* Compares private buffers with the blocks of malloc and the variables of shared libraries. */
#include "tools/check/args/private_extents.h"

#include <stdio.h>

#include "tools/check/args/private_blocks.h"
#include "tools/check/report/findings.h"
#include "tools/check/shared/source_location.h"
#include "tools/check/shared/static_objects.h"
#include "tools/program.h"
#include "tools/quick.h"

static bool holds(uintptr_t memory, size_t size, uintptr_t start, size_t bytes)
{
    return tern_span_holds(&(struct tern_span){memory, size}, start, bytes);
}

/* Whether so many bytes fit; true also where nothing is known about the memory. */
static bool fit(uintptr_t start, size_t bytes)
{
    const struct tern_check_static_object *object;
    struct tern_check_private_block block;

    if (tern_check_private_blocks_find(start, &block))
        return holds(block.start, block.size, start, bytes);
    object = tern_check_static_objects_find(start);
    return !object || holds(object->start, object->size, start, bytes);
}

void tern_check_private_extents_start(void)
{
    tern_program_locate();
    tern_quick.local = fit;
}

/* memory: where the buffer begins, in words, `offset` bytes from the start of its `size` bytes */
static void report(const struct tern_call *call, const char *name, size_t offset,
                   const char *memory, size_t size, size_t bytes, const char *origin)
{
    tern_check_findings_report(
        call, FINDING_PRIVATE,
        "%s begins at byte %zu of %s, and %zu bytes are accessed, %zu too many%s", name, offset,
        memory, bytes, bytes - (size - offset), origin);
}

static void report_block(const struct tern_call *call, const char *name, uintptr_t start,
                         size_t bytes, const struct tern_check_private_block *block)
{
    char memory[64], origin[512] = "";

    snprintf(memory, sizeof memory, "a block of %zu bytes from malloc", block->size);
    if (block->site)
        snprintf(origin, sizeof origin, "\nthe block was allocated at %s",
                 tern_check_source_location_text(block->site));
    report(call, name, start - block->start, memory, block->size, bytes, origin);
}

static void report_variable(const struct tern_call *call, const char *name, uintptr_t start,
                            size_t bytes, const struct tern_check_static_object *object)
{
    char variable[200], memory[256];

    tern_check_static_objects_name(object, variable, sizeof variable);
    snprintf(memory, sizeof memory, "%s, a variable of %zu bytes in a shared library", variable,
             object->size);
    report(call, name, start - object->start, memory, object->size, bytes, "");
}

void tern_check_private_extents_check(const struct tern_call *call, const char *name,
                                      uintptr_t start, size_t bytes)
{
    const struct tern_check_static_object *object;
    struct tern_check_private_block block;

    if (tern_check_private_blocks_find(start, &block)) {
        if (!holds(block.start, block.size, start, bytes))
            report_block(call, name, start, bytes, &block);
        return;
    }
    object = tern_check_static_objects_find(start);
    if (object && !holds(object->start, object->size, start, bytes))
        report_variable(call, name, start, bytes, object);
}

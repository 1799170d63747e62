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

/* Whether so many bytes fit; true also where nothing is known about the memory. */
static bool fit(uintptr_t start, size_t bytes)
{
    const struct tern_check_static_object *object;
    struct tern_check_private_block block;

    if (tern_check_private_blocks_find(start, &block))
        return tern_span_holds(&(struct tern_span){block.start, block.size}, start, bytes);
    object = tern_check_static_objects_find(start);
    return !object ||
           tern_span_holds(&(struct tern_span){object->start, object->size}, start, bytes);
}

void tern_check_private_extents_start(void)
{
    tern_program_locate();
    tern_quick.local = fit;
}

static void report(const struct tern_call *call, const char *name, uintptr_t offset,
                   const char *memory, size_t size, size_t bytes, const char *origin)
{
    size_t room = size - offset;

    tern_check_findings_report(call, FINDING_PRIVATE,
                               "%s begins at byte %zu of %s of %zu bytes, and %zu bytes are "
                               "accessed, %zu too many%s",
                               name, (size_t)offset, memory, size, bytes, bytes - room, origin);
}

static void report_block(const struct tern_call *call, const char *name, uintptr_t start,
                         size_t bytes, const struct tern_check_private_block *block)
{
    char origin[512] = "";

    if (block->site)
        snprintf(origin, sizeof origin, "\nthe block was allocated at %s",
                 tern_check_source_location_text(block->site));
    report(call, name, start - block->start, "a block of malloc", block->size, bytes, origin);
}

void tern_check_private_extents_check(const struct tern_call *call, const char *name,
                                      uintptr_t start, size_t bytes)
{
    const struct tern_check_static_object *object;
    struct tern_check_private_block block;
    char variable[200], memory[256];

    if (fit(start, bytes))
        return;
    if (tern_check_private_blocks_find(start, &block)) {
        report_block(call, name, start, bytes, &block);
        return;
    }
    object = tern_check_static_objects_find(start);
    if (!object) /* another thread has freed the block meanwhile */
        return;
    tern_check_static_objects_name(object, variable, sizeof variable);
    snprintf(memory, sizeof memory, "%s, a variable of a shared library,", variable);
    report(call, name, start - object->start, memory, object->size, bytes, "");
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps the records of handles in the order of creation. */
#include "tools/check/args/handles.h"

#include <stdlib.h>
#include <string.h>

#include "tools/check/shared/source_location.h"

/* With more than these, records of destroyed handles are dropped. */
#define MOST_HANDLES 1000

struct tern_check_handle *tern_check_handles_find(struct tern_check_handles *table,
                                                  const void *value)
{
    if (table->latest < table->n && table->handles[table->latest].value == value)
        return &table->handles[table->latest];
    for (size_t i = table->n; i-- > 0;)
        if (table->handles[i].value == value) {
            table->latest = i;
            return &table->handles[i];
        }
    return NULL;
}

static struct tern_check_handle *find_oldest_ended(const struct tern_check_handles *table)
{
    for (size_t i = 0; i < table->n; i++)
        if (table->handles[i].ended.routine)
            return &table->handles[i];
    return NULL;
}

static void forget(struct tern_check_handles *table, struct tern_check_handle *handle)
{
    size_t behind = (size_t)(table->handles + table->n - handle) - 1;

    memmove(handle, handle + 1, behind * sizeof *handle);
    table->n--;
}

static bool grow(struct tern_check_handles *table)
{
    size_t more = table->room ? 2 * table->room : 64;
    struct tern_check_handle *moved;

    if (table->n < table->room)
        return true;
    moved = reallocarray(table->handles, more, sizeof *moved);
    if (!moved)
        return false;
    table->handles = moved;
    table->room = more;
    return true;
}

struct tern_check_handle *tern_check_handles_add(struct tern_check_handles *table, void *value,
                                                 const struct tern_call *call)
{
    struct tern_check_handle *handle = tern_check_handles_find(table, value);

    if (!handle && table->n >= MOST_HANDLES)
        handle = find_oldest_ended(table);
    if (handle)
        forget(table, handle);
    if (!grow(table))
        return NULL;
    handle = &table->handles[table->n++];
    *handle = (struct tern_check_handle){
        .value = value,
        .made = {.routine = call->routine, .site = tern_check_source_location_site(call)},
    };
    return handle;
}

void tern_check_handles_end(struct tern_check_handle *handle, const struct tern_call *call)
{
    handle->ended = (struct tern_check_event){.routine = call->routine,
                                              .site = tern_check_source_location_site(call)};
}

bool tern_check_handles_report_ended(const struct tern_call *call,
                                     const struct tern_check_handles *table,
                                     const struct tern_check_handle *handle)
{
    if (!handle || !handle->ended.routine)
        return false;
    tern_check_findings_report(call, table->kind,
                               "the %s was destroyed before, by %s at %s\n"
                               "and had been created by %s at %s",
                               table->noun, handle->ended.routine->name,
                               tern_check_source_location_text(handle->ended.site),
                               handle->made.routine->name,
                               tern_check_source_location_text(handle->made.site));
    return true;
}

/*
 * Reports all remaining handles that were created at the same site as this one, and marks them as
 * reported.
 */
static void report_like(const struct tern_check_handles *table,
                        const struct tern_check_handle *first)
{
    const struct tern_check_event made = first->made;
    size_t n = 0;

    for (size_t i = 0; i < table->n; i++)
        if (!table->handles[i].ended.routine && table->handles[i].made.site == made.site) {
            table->handles[i].ended = made;
            n++;
        }
    tern_check_findings_add_leak("%zu %s%s, created by %s at %s", n, table->noun, n > 1 ? "s" : "",
                                 made.routine->name, tern_check_source_location_text(made.site));
}

void tern_check_handles_close(struct tern_check_handles *table)
{
    for (size_t i = 0; i < table->n; i++)
        if (!table->handles[i].ended.routine)
            report_like(table, &table->handles[i]);
    table->n = 0;
}

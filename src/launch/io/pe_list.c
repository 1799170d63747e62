/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes sets of PEs as ranges. */
#include "launch/io/pe_list.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/compiler.h"

/* More than these would hide what the line is about. */
#define MAX_RANGES 8

static void add(struct tern_pe_list *list, const char *fmt, ...) TERN_PRINTF(2, 3);

/* So few ranges fit in any case. */
static void add(struct tern_pe_list *list, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    list->length +=
        (size_t)vsnprintf(list->text + list->length, sizeof list->text - list->length, fmt, args);
    va_end(args);
}

void tern_pe_list_add(struct tern_pe_list *list, uint32_t first, uint32_t last)
{
    if (++list->n_ranges > MAX_RANGES)
        return;
    if (list->n_ranges == MAX_RANGES) {
        add(list, ", ...");
        return;
    }
    add(list, "%s%u", list->n_ranges > 1 ? ", " : "", first);
    if (last > first)
        add(list, "-%u", last);
}

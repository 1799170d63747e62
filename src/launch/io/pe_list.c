/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes a list of PEs as ranges. */
#include "launch/io/pe_list.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/compiler.h"

/* More ranges would distract from the rest of the line. */
#define MAX_RANGES 8

static void add(struct tern_pe_list *list, const char *fmt, ...) TERN_PRINTF(2, 3);

/* MAX_RANGES of them always fit into the text. */
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

/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes sets of PEs as ranges. */
#include "launch/io/pe_list.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/compiler.h"

/* More than these would hide what the line is about. */
#define RANGES_MOST 8

static void add(struct tern_numbers *numbers, const char *fmt, ...) TERN_PRINTF(2, 3);

/* So few ranges fit in any case. */
static void add(struct tern_numbers *numbers, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    numbers->length += (size_t)vsnprintf(numbers->text + numbers->length,
                                         sizeof numbers->text - numbers->length, fmt, args);
    va_end(args);
}

void tern_numbers_add(struct tern_numbers *numbers, uint32_t first, uint32_t last)
{
    if (++numbers->n_ranges > RANGES_MOST)
        return;
    if (numbers->n_ranges == RANGES_MOST) {
        add(numbers, ", ...");
        return;
    }
    add(numbers, "%s%u", numbers->n_ranges > 1 ? ", " : "", first);
    if (last > first)
        add(numbers, "-%u", last);
}

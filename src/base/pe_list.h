/* SPDX-License-Identifier: BSD-3-Clause */
/* A list of PEs as text, "0-3, 5", for the programs and the tools: no object file. */
#ifndef TERN_BASE_PE_LIST_H
#define TERN_BASE_PE_LIST_H

#include <stdint.h>

#include "base/text_buffer.h"

/* More ranges would distract from the rest of the line. */
#define TERN_PE_LIST_RANGES 8

/* Initially all zero. A list of TERN_PE_LIST_RANGES ranges or more ends with "...". */
struct tern_pe_list {
    char text[128];
    uint32_t n_ranges;
};

/* Adds the PEs from first to last. All PEs added before are smaller. */
static inline void tern_pe_list_add(struct tern_pe_list *list, uint32_t first, uint32_t last)
{
    if (++list->n_ranges > TERN_PE_LIST_RANGES)
        return;
    if (list->n_ranges == TERN_PE_LIST_RANGES) {
        tern_text_buffer_add(list->text, sizeof list->text, ", ...");
        return;
    }
    tern_text_buffer_add(list->text, sizeof list->text, "%s%u", list->n_ranges > 1 ? ", " : "",
                         first);
    if (last > first)
        tern_text_buffer_add(list->text, sizeof list->text, "-%u", last);
}

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* A list of PEs as text: "0-3, 5". */
#ifndef TERN_LAUNCH_IO_PE_LIST_H
#define TERN_LAUNCH_IO_PE_LIST_H

#include <stddef.h>
#include <stdint.h>

/* Initially all zero. A long list ends with "...". */
struct tern_pe_list {
    char text[128];
    size_t length;
    uint32_t n_ranges;
};

/* Adds the PEs from first to last. All PEs added before are smaller. */
void tern_pe_list_add(struct tern_pe_list *list, uint32_t first, uint32_t last);

#endif

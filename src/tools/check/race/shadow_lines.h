/* SPDX-License-Identifier: BSD-3-Clause */
/* Accesses to one line or one page. */
#ifndef TERN_CHECK_SHADOW_LINES_H
#define TERN_CHECK_SHADOW_LINES_H

#include "tools/check/race/clocks.h"
#include "tools/check/race/conflicts.h"

#define WHOLE_LINE (~UINT64_C(0))

struct tern_check_shadow_query {
    int target;
    struct tern_check_access *access;
    struct tern_check_conflicts *conflicts;
};

/* Looks for conflicts of an access to bytes of a line, by the mask, and adds it. */
void tern_check_shadow_lines_add(struct tern_check_shadow_query *query, uint64_t line,
                                 uint64_t mask);

/* The same for whole lines of a page. */
void tern_check_shadow_lines_add_page(struct tern_check_shadow_query *query, uint64_t page,
                                      uint64_t mask);

#endif

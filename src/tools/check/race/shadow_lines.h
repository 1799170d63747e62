/* SPDX-License-Identifier: BSD-3-Clause */
/* An access to one line, or one page. */
#ifndef TERN_CHECK_SHADOW_LINES_H
#define TERN_CHECK_SHADOW_LINES_H

#include "tools/check/race/clocks.h"
#include "tools/check/race/conflicts.h"

#define TERN_CHECK_WHOLE (~UINT64_C(0))

struct tern_check_touch {
    int target;
    struct tern_check_mark *mark;
    struct tern_check_races *races;
};

/* Finds what races with the access to bytes of a line, by the mask, and leaves its mark. */
void tern_check_line_touch(struct tern_check_touch *touch, uint64_t line, uint64_t mask);

/* The same of whole lines of a page. */
void tern_check_page_touch(struct tern_check_touch *touch, uint64_t page, uint64_t mask);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* Gathers the pieces of an access to lines, and these to pages. */
#include "tools/check/race/shadow.h"

#include "tools/check/race/shadow_lines.h"
#include "tools/check/race/shadow_store.h"

/* Pieces are gathered to lines, and whole lines to pages, as long as they follow each other. */
struct brush {
    struct tern_check_touch touch;
    uint64_t line, bytes, page, lines;
};

static void flush_page(struct brush *brush)
{
    if (brush->lines)
        tern_check_page_touch(&brush->touch, brush->page, brush->lines);
    brush->lines = 0;
}

static void add_lines(struct brush *brush, uint64_t page, uint64_t mask)
{
    if (page != brush->page)
        flush_page(brush);
    brush->page = page;
    brush->lines |= mask;
}

static void flush_line(struct brush *brush)
{
    if (brush->bytes == TERN_CHECK_WHOLE)
        add_lines(brush, brush->line >> TERN_CHECK_LINE_BITS, UINT64_C(1) << brush->line % 64);
    else if (brush->bytes)
        tern_check_line_touch(&brush->touch, brush->line, brush->bytes);
    brush->bytes = 0;
}

static void paint(struct brush *brush, uint64_t place, uint64_t bytes)
{
    while (bytes > 0) {
        uint64_t line = place >> TERN_CHECK_LINE_BITS, at = place % 64,
                 n = 64 - at < bytes ? 64 - at : bytes;

        if (n == 64) {
            uint64_t whole = bytes >> TERN_CHECK_LINE_BITS, first = line % 64;

            whole = whole < 64 - first ? whole : 64 - first;
            add_lines(brush, line >> TERN_CHECK_LINE_BITS, tern_check_run_of(whole) << first);
            n = whole << TERN_CHECK_LINE_BITS;
        } else {
            if (line != brush->line)
                flush_line(brush);
            brush->line = line;
            brush->bytes |= tern_check_run_of(n) << at;
        }
        place += n;
        bytes -= n;
    }
}

static void touch_pieces(const struct tern_check_touch *touch, uint64_t place, uint64_t bytes,
                         uint64_t stride, uint64_t n)
{
    struct brush brush = {.touch = *touch};

    for (uint64_t i = 0; i < n; i++)
        paint(&brush, place + i * stride, bytes);
    flush_line(&brush);
    flush_page(&brush);
}

void tern_check_shadow_touch(int target, uint64_t place, uint64_t bytes, uint64_t stride,
                             uint64_t n, struct tern_check_mark *mark,
                             struct tern_check_races *races)
{
    struct tern_check_touch touch = {target, mark, races};

    if (n == 1 && bytes < 64 && place % 64 + bytes <= 64) /* mostly */
        tern_check_line_touch(&touch, place >> TERN_CHECK_LINE_BITS,
                              tern_check_run_of(bytes) << place % 64);
    else
        touch_pieces(&touch, place, bytes, stride, n);
}

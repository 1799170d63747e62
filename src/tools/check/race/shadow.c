/* SPDX-License-Identifier: BSD-3-Clause */
/* Splits an access into lines and pages. */
#include "tools/check/race/shadow.h"

#include "tools/check/race/shadow_lines.h"
#include "tools/check/race/shadow_store.h"

/*
 * Combines the pieces of an access into lines, and whole lines into pages, while they are adjacent.
 */
struct gatherer {
    struct tern_check_shadow_query query;
    uint64_t line, bytes, page, lines;
};

static void flush_page(struct gatherer *gatherer)
{
    if (gatherer->lines)
        tern_check_shadow_lines_add_page(&gatherer->query, gatherer->page, gatherer->lines);
    gatherer->lines = 0;
}

static void add_lines(struct gatherer *gatherer, uint64_t page, uint64_t mask)
{
    if (page != gatherer->page)
        flush_page(gatherer);
    gatherer->page = page;
    gatherer->lines |= mask;
}

static void flush_line(struct gatherer *gatherer)
{
    if (gatherer->bytes == WHOLE_LINE)
        add_lines(gatherer, gatherer->line >> LINE_BITS, UINT64_C(1) << gatherer->line % 64);
    else if (gatherer->bytes)
        tern_check_shadow_lines_add(&gatherer->query, gatherer->line, gatherer->bytes);
    gatherer->bytes = 0;
}

static void gather(struct gatherer *gatherer, uint64_t offset, uint64_t bytes)
{
    while (bytes > 0) {
        uint64_t line = offset >> LINE_BITS, at = offset % 64,
                 n = 64 - at < bytes ? 64 - at : bytes;

        if (n == 64) {
            uint64_t whole = bytes >> LINE_BITS, first = line % 64;

            whole = whole < 64 - first ? whole : 64 - first;
            add_lines(gatherer, line >> LINE_BITS, tern_check_shadow_store_mask(whole) << first);
            n = whole << LINE_BITS;
        } else {
            if (line != gatherer->line)
                flush_line(gatherer);
            gatherer->line = line;
            gatherer->bytes |= tern_check_shadow_store_mask(n) << at;
        }
        offset += n;
        bytes -= n;
    }
}

static void add_pieces(const struct tern_check_shadow_query *query, uint64_t offset, uint64_t bytes,
                       uint64_t stride, uint64_t n)
{
    struct gatherer gatherer = {.query = *query};

    for (uint64_t i = 0; i < n; i++)
        gather(&gatherer, offset + i * stride, bytes);
    flush_line(&gatherer);
    flush_page(&gatherer);
}

void tern_check_shadow_add(int target, uint64_t offset, uint64_t bytes, uint64_t stride, uint64_t n,
                           struct tern_check_access *access, struct tern_check_conflicts *conflicts)
{
    struct tern_check_shadow_query query = {target, access, conflicts};

    if (n == 1 && bytes < 64 && offset % 64 + bytes <= 64) /* the usual case */
        tern_check_shadow_lines_add(&query, offset >> LINE_BITS,
                                    tern_check_shadow_store_mask(bytes) << offset % 64);
    else
        add_pieces(&query, offset, bytes, stride, n);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Shared memory is laid out in whole pages, so that unused parts take no memory. */
#ifndef TERN_CHECK_PAGES_H
#define TERN_CHECK_PAGES_H

#include <stddef.h>

#define PAGE_BYTES ((size_t)4096)

/* Rounds up to whole pages. */
static inline size_t tern_check_pages_round_up(size_t bytes)
{
    return (bytes + PAGE_BYTES - 1) & ~(PAGE_BYTES - 1);
}

#endif

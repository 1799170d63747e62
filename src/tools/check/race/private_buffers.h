/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Private memory that nonblocking calls of this PE are still using: it is nobody else's business,
 * and only calls of this PE can meet there. The last ones are remembered.
 */
#ifndef TERN_CHECK_PRIVATE_BUFFERS_H
#define TERN_CHECK_PRIVATE_BUFFERS_H

#include "tools/call.h"

/* A transfer that has not completed. */
struct tern_check_private_buffer {
    uintptr_t start, end;
    int ctx; /* what completes it, see args/contexts.h */
    uint32_t site;
};

/* The transfer that reads, or writes, any of these bytes, against which that access races. */
const struct tern_check_private_buffer *tern_check_private_buffers_find(uintptr_t start,
                                                                        size_t bytes, bool writes);

/* A nonblocking call begins to use these. */
void tern_check_private_buffers_add(uintptr_t start, size_t bytes, bool writes, int ctx,
                                    uint32_t site);

/* All on this context have completed. */
void tern_check_private_buffers_quiet(int ctx);

#endif

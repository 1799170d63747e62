/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Private memory that nonblocking calls of this PE still use. Only calls of this PE can access it.
 * The newest buffers are kept.
 */
#ifndef TERN_CHECK_PRIVATE_BUFFERS_H
#define TERN_CHECK_PRIVATE_BUFFERS_H

#include "tools/call.h"
#include "tools/quick.h"

/* The buffer of an operation that is not complete. */
struct tern_check_private_buffer {
    uintptr_t start, end;
    int ctx; /* completes it, see args/contexts.h */
    uint32_t site;
};

/* The range of all buffers together; its size is 0 if there is none. */
extern struct tern_span tern_check_private_buffers_range;

/*
 * The operation that an access of these bytes races with, or NULL. writes: the access is a write.
 */
const struct tern_check_private_buffer *tern_check_private_buffers_find(uintptr_t start,
                                                                        size_t bytes, bool writes);

/* A nonblocking call begins to read, or write, these bytes. */
void tern_check_private_buffers_add(uintptr_t start, size_t bytes, bool writes, int ctx,
                                    uint32_t site);

/* The operations on this context are complete. */
void tern_check_private_buffers_quiet(int ctx);

#endif

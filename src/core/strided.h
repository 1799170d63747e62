/* SPDX-License-Identifier: BSD-3-Clause */
/* Strided puts and gets of blocks, to and from PEs on other nodes. */
#ifndef TERN_CORE_STRIDED_H
#define TERN_CORE_STRIDED_H

#include <stddef.h>
#include <stdint.h>

#include "net/net.h"

/* `n` blocks of `bytes` each, n > 0. */
struct tern_strided {
    uint64_t remote;                    /* symmetric offset of the first block at the PE */
    char *local;                        /* this PE's; a put only reads it */
    size_t remote_stride, local_stride; /* bytes between the starts of blocks */
    size_t bytes, n;
};

/* Return when source may be reused, and when dest is filled. The caller has checked the arguments.
 */
void tern_strided_put(struct tern_net_channel *channel, const struct tern_strided *blocks, int pe);
void tern_strided_get(struct tern_net_channel *channel, const struct tern_strided *blocks, int pe);

#endif

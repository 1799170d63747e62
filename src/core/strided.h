/* SPDX-License-Identifier: BSD-3-Clause */
/* Strided puts and gets of blocks, to and from PEs on other nodes. */
#ifndef TERN_CORE_STRIDED_H
#define TERN_CORE_STRIDED_H

#include <stddef.h>

#include "base/compiler.h"
#include "net/net.h"

/* `n` blocks of `bytes` each, n > 0; their starts are dst and sst bytes apart. */
struct tern_strided {
    char *dest;
    const char *source;
    size_t dst, sst;
    size_t bytes, n;
};

/* Return when source may be reused, and when dest is filled. The arguments are right. */
void tern_strided_put(struct tern_net_channel *channel, const struct tern_strided *blocks,
                      int pe) TERN_COLD;
void tern_strided_get(struct tern_net_channel *channel, const struct tern_strided *blocks,
                      int pe) TERN_COLD;

#endif

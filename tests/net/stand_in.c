/* SPDX-License-Identifier: BSD-3-Clause */
/* A plug-in that has a name and no operations: tests of the choice load it. */
#include "net/net.h"

static const struct tern_net_ops ops = {.name = NAME};

#ifdef OTHER_VERSION
#define SYMBOL tern_net_engine_0
#else
#define SYMBOL tern_net_engine_7
#endif

extern const struct tern_net_ops *const SYMBOL;

__attribute__((visibility("default"))) const struct tern_net_ops *const SYMBOL = &ops;

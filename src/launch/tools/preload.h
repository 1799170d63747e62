/* SPDX-License-Identifier: BSD-3-Clause */
/* Tools that PEs load in front of the library. */
#ifndef TERN_LAUNCH_TOOLS_PRELOAD_H
#define TERN_LAUNCH_TOOLS_PRELOAD_H

#include "launch/plan/options.h"

/*
 * Puts the tools that the options ask for into oshrun's own environment, which PEs inherit. Warns
 * of programs that can't load any. Returns 0, or -errno after a message.
 */
int tern_preload_tools(const struct tern_options *options);

#endif

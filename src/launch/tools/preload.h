/* SPDX-License-Identifier: BSD-3-Clause */
/* The tools that PEs load in front of the library. */
#ifndef TERN_LAUNCH_TOOLS_PRELOAD_H
#define TERN_LAUNCH_TOOLS_PRELOAD_H

#include "launch/plan/options.h"

/*
 * Adds the tools that the options ask for to oshrun's own environment, which the PEs inherit. Warns
 * of static programs, which can't load any. Returns 0, or -errno after a message.
 */
int tern_preload_tools(const struct tern_options *options);

#endif

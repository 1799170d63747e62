/* SPDX-License-Identifier: BSD-3-Clause */
/* Jobs that another launcher starts, on other hosts. */
#ifndef TERN_LAUNCH_STARTERS_HAND_OVER_H
#define TERN_LAUNCH_STARTERS_HAND_OVER_H

#include "launch/plan/options.h"
#include "launch/process/inherited.h"

/*
 * Has the launcher that is there, or that the user wishes, run the job, and waits for it: passes
 * signals on to it and ends it after --timeout. The status to exit with.
 */
int tern_hand_over(struct tern_options *options, const struct tern_inherited *inherited, int cores);

#endif

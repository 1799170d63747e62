/* SPDX-License-Identifier: BSD-3-Clause */
/* Jobs on other hosts, which a starter runs in oshrun's stead. */
#ifndef TERN_LAUNCH_STARTERS_HAND_OVER_H
#define TERN_LAUNCH_STARTERS_HAND_OVER_H

#include "launch/plan/options.h"
#include "launch/process/inherited.h"

/*
 * Has a starter run the job, the one that --launcher names or the first that works here, and waits
 * for its end. `cores` is the number of PEs where nothing else gives one. Returns the status to
 * exit with.
 */
int tern_hand_over(struct tern_options *options, const struct tern_inherited *inherited, int cores);

#endif

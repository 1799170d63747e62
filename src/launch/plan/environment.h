/* SPDX-License-Identifier: BSD-3-Clause */
/* The environment of a program's PEs. */
#ifndef TERN_LAUNCH_PLAN_ENVIRONMENT_H
#define TERN_LAUNCH_PLAN_ENVIRONMENT_H

#include <stdint.h>

#include "launch/plan/options.h"

/*
 * The environment of one program. Its vector contains pe and local_pe, which change from PE to PE.
 */
struct tern_environment {
    char **vector;
    char pe[32];
    char local_pe[32];
    char n_pes[32];
    char local_n_pes[32];
};

/*
 * Builds it from oshrun's environment, the program's settings, and the variables that describe the
 * job. boot is the text "TERN_BOOT=...". Returns 0 or -ENOMEM.
 */
int tern_environment_make(struct tern_environment *environment,
                          const struct tern_launch_program *program, uint32_t n_pes,
                          const char *boot);

void tern_environment_set_pe(struct tern_environment *environment, uint32_t pe);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* The text of --help. */
#ifndef TERN_LAUNCH_PLAN_HELP_H
#define TERN_LAUNCH_PLAN_HELP_H

/* Prints it to standard output. */
void tern_help_print(void);

#endif

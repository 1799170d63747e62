/* SPDX-License-Identifier: BSD-3-Clause */
/* Asks a program something. */
#ifndef TERN_LAUNCH_PROCESS_CAPTURE_H
#define TERN_LAUNCH_PROCESS_CAPTURE_H

#include <stddef.h>

/*
 * Runs the program argv[0] without input and takes what it says on both of its outputs, as far as
 * there is room: nothing if it can't be run, or does not answer within seconds.
 */
void tern_capture(char *const *argv, char *answer, size_t bytes);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* Capturing the output of a program. */
#ifndef TERN_LAUNCH_PROCESS_CAPTURE_H
#define TERN_LAUNCH_PROCESS_CAPTURE_H

#include <stddef.h>

/*
 * Runs the program argv[0] without input, and captures its standard output and error as far as
 * there is room. The answer is empty if the program cannot be run. A program that prints
 * more, or runs for more than ten seconds, is killed. 0, or -errno if this process lacks something,
 * so that the answer says nothing about the program.
 */
int tern_capture(char *const *argv, char *answer, size_t bytes);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Loads and stores of a program that was compiled with `oshcc --tern-instrument`. A thread's
 * accesses are gathered by lines until its time advances, or until it makes a call; until then no
 * other actor can know of them, and this one learns nothing of others.
 */
#ifndef TERN_CHECK_PROGRAM_ACCESSES_H
#define TERN_CHECK_PROGRAM_ACCESSES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Whether the program, or a library of it, passes its accesses on. */
extern bool tern_check_program_accesses_are_seen;

/* The check of races has begun: accesses count from now on. */
void tern_check_program_accesses_start(void);

/* Logs the accesses that this thread has gathered. Before each call, and before the time advances.
 */
void tern_check_program_accesses_flush(void);

/* The same at the end of a thread, whose memory is released. */
void tern_check_program_accesses_end_thread(void);

#endif

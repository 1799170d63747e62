/* SPDX-License-Identifier: BSD-3-Clause */
/* The tables of a PE's profile. Callers hold one lock. */
#ifndef TERN_TOOLS_PROFILE_TABLES_H
#define TERN_TOOLS_PROFILE_TABLES_H

#include <stdbool.h>
#include <stddef.h>

#include "tools/profile/record.h"

/*
 * Makes the tables for a job of n_pes PEs. If they exist, keeps their content: a program that
 * initializes repeatedly has one profile. The calling thread becomes the main thread. False if
 * there is no memory.
 */
bool tern_tables_open(uint32_t pe, uint32_t n_pes, uint64_t now);

/* The index of the call site, or -1 when the table is full. */
int tern_tables_site(const void *address, const char *routine, enum tern_activity activity);

/* Records a call by this thread: its site, times and bytes. peer is the PE, or -1 for none. */
void tern_tables_call(int site, uint64_t began, uint64_t ended, size_t bytes, int peer);

/* Add the time of a call by the main thread; by another thread. */
void tern_tables_spend(enum tern_activity activity, uint64_t began, uint64_t ended);
void tern_tables_spend_beside(uint64_t began, uint64_t ended);

void tern_tables_transfer(enum tern_transfer transfer, size_t bytes, int peer);

/* Records an update of a word of PE `pe`, or, with pe -1, a wait for a word of this PE. */
void tern_tables_word(uint64_t word, int pe, uint64_t ns);

void tern_tables_meeting(const struct tern_profile_meeting *meeting);

/* Writes the tables to a file in the folder. 0, or -errno. */
int tern_tables_write(const char *folder, uint64_t now);

#endif

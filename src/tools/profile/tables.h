/* SPDX-License-Identifier: BSD-3-Clause */
/* The tables of a PE's profile. Callers hold one lock. */
#ifndef TERN_TOOLS_PROFILE_TABLES_H
#define TERN_TOOLS_PROFILE_TABLES_H

#include <stdbool.h>
#include <stddef.h>

#include "tools/profile/record.h"

/*
 * Makes the tables for a job of n_pes PEs. If they exist, keeps their content: a program that
 * initializes repeatedly has one profile. The calling thread becomes the main thread. NULL if there
 * is no memory.
 */
struct tern_profile *tern_tables_open(uint32_t pe, uint32_t n_pes, uint64_t now);

/* The index of the call site, or -1 when the table is full. */
int tern_tables_site(const void *address, const char *routine, enum tern_activity activity);

/* A call by this thread. peer: the PE, or -1 for none. word: that ended a wait, or 0. */
struct tern_profile_call {
    uint64_t began, ended;
    size_t bytes;
    int peer;
    uint64_t word;
};

/* Records a call. */
void tern_tables_call(int site, const struct tern_profile_call *call);

/* Records n calls that were only counted, with estimates of their time and bytes. */
void tern_tables_calls(int site, uint64_t n, uint64_t ns, uint64_t bytes);

/* Note that the main thread is in a call, so that a PE that is killed in it shows it. */
void tern_tables_enter(int site, uint64_t now);
void tern_tables_leave(void);

/* Add the time of a call by the main thread; of calls by another thread. */
void tern_tables_spend(enum tern_activity activity, uint64_t began, uint64_t ended);
void tern_tables_spend_beside(uint64_t calls, uint64_t ns);

/* Adds ns of the main thread's time, spread evenly over the time from `began` to `ended`. */
void tern_tables_spread(enum tern_activity activity, uint64_t began, uint64_t ended, uint64_t ns);

/* Records n transfers of so many bytes each. */
void tern_tables_transfer(enum tern_transfer transfer, size_t bytes, int peer, uint64_t n);

/* Records a wait of this PE for a word. */
void tern_tables_wait(uint64_t word, uint64_t ns);

/* Records n updates of a word of PE `pe`, and when the last of them was made. */
void tern_tables_update(uint64_t word, int pe, int site, uint64_t began, uint64_t ended,
                        uint64_t n);

void tern_tables_meeting(const struct tern_profile_meeting *meeting);

/* Notes the end of the profile, which is complete in its file then. */
void tern_tables_save(uint64_t now);

/* After that: the profile continues. */
void tern_tables_resume(void);

#endif

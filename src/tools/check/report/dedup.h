/* SPDX-License-Identifier: BSD-3-Clause */
/* Which of a machine's PEs tells a mistake that several make: the first, and the others are
 * counted. */
#ifndef TERN_CHECK_DEDUP_H
#define TERN_CHECK_DEDUP_H

#include "tools/call.h"
#include "tools/check/shared/board.h"

/* After the first init: the machine's board, or NULL, and this PE's slot. Children have neither. */
void tern_check_dedup_open(struct tern_check_board *board, struct tern_check_slot *slot);

/*
 * Whether this PE has to tell a mistake of this kind, in the routine at that place. If not,
 * another has entry one, with a text that differs by nothing but numbers: this waits until it is
 * there to be read, whatever the call does next. One that ends before, or does not come to it for
 * two seconds, has its place taken by one of those that wait. *number: what it is counted by, or
 * -1.
 */
bool tern_check_dedup_claim(unsigned kind, const struct tern_call *call, const void *site,
                            const char *text, int *number);

/* It is there to be read; if not, whoever makes the same next has to tell it. */
void tern_check_dedup_finish(int number, bool is_said);

/* This PE has made it so often. */
void tern_check_dedup_count(int number, unsigned long n);

/*
 * Goes through what this PE has entry and others have made as well: number is -1 at first. pes: who
 * they are, *n: how often they have together. NULL after the last.
 */
const struct tern_check_dedup_entry *tern_check_dedup_next(int *number, char *pes, size_t size,
                                                           unsigned long *n);

#endif

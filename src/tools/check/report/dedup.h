/* SPDX-License-Identifier: BSD-3-Clause */
/* Chooses the one PE of a machine that prints a mistake which several make; the others count it. */
#ifndef TERN_CHECK_DEDUP_H
#define TERN_CHECK_DEDUP_H

#include "tools/call.h"
#include "tools/check/shared/board.h"

/*
 * After the first init. board: the machine's, or NULL; slot: this PE's. Children of fork use
 * neither.
 */
void tern_check_dedup_open(struct tern_check_board *board, struct tern_check_slot *slot);

/*
 * Whether this PE has to print a mistake of this kind, made by the routine at this site. If not,
 * another PE prints the mistake, with a text that differs in nothing but numbers; then this
 * function returns once the message is written, whatever the call does next. If that PE ends, or
 * does not write it within two seconds, one of those that wait takes over. *number: the entry that
 * counts the mistake, or -1.
 */
bool tern_check_dedup_claim(unsigned kind, const struct tern_call *call, const void *site,
                            const char *text, int *number);

/*
 * The message is written. If writing failed (is_printed is false), the next PE that makes the
 * mistake prints it.
 */
void tern_check_dedup_finish(int number, bool is_printed);

/* Records how often this PE has made the mistake so far. */
void tern_check_dedup_count(int number, unsigned long n);

/*
 * Goes through the mistakes that this PE printed and others made too. *number: -1 at first. pes:
 * the other PEs in words; *n: how often these made it, together. NULL after the last.
 */
const struct tern_check_dedup_entry *tern_check_dedup_next(int *number, char *pes, size_t size,
                                                           unsigned long *n);

#endif

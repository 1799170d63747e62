/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the threads of a PE wait in, for the table that is printed when a wait takes long, or when
 * SIGQUIT asks for it. A thread of the tool's own sees to that. It makes no calls of the library,
 * but for the one that ends the job where the check stops at what it finds.
 */
#ifndef TERN_CHECK_WAITS_H
#define TERN_CHECK_WAITS_H

#include "tools/call.h"
#include "tools/check/shared/board.h"

/* Before the first init: from here on SIGQUIT asks for the table, and ends nobody. */
void tern_check_waits_start(void);

/* After the first init: the machine's board, or NULL, and this PE's slot. */
void tern_check_waits_open(struct tern_check_board *board, struct tern_check_slot *slot);

/* After the last finalize. */
void tern_check_waits_close(void);

/* The process ends. */
void tern_check_waits_exit(void);

/* Around every call that waits, or that is about a lock. */
void tern_check_waits_enter(struct tern_call *call);
void tern_check_waits_leave(struct tern_call *call);

/* The call that the thread has entered is the number-th, from 0 on, of the group with this key. */
void tern_check_waits_enter_group(uint64_t key, uint64_t number);

/* This PE is a member of the group, and has made no call with it yet. */
void tern_check_waits_add_group(uint64_t key);

/* The group is no more. */
void tern_check_waits_forget_group(uint64_t key);

#endif

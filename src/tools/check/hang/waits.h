/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The calls that a PE's threads are blocked in. The table of them is printed when a wait takes
 * long, or on SIGQUIT. A thread of the tool sees to that. It makes no calls of the library except
 * the one that ends the job, for --check=stop.
 */
#ifndef TERN_CHECK_WAITS_H
#define TERN_CHECK_WAITS_H

#include "tools/call.h"
#include "tools/check/shared/board.h"

/* Before the first init: handles SIGQUIT from here on. */
void tern_check_waits_start(void);

/* After the first init. board: the machine's, or NULL; slot: this PE's. */
void tern_check_waits_open(struct tern_check_board *board, struct tern_check_slot *slot);

/* After the last finalize. */
void tern_check_waits_close(void);

/* At the end of the process. */
void tern_check_waits_exit(void);

/* Around each call that can block, or that is about a lock. */
void tern_check_waits_enter(struct tern_call *call);
void tern_check_waits_leave(struct tern_call *call);

/*
 * The thread's blocking call is call number `number`, counted from 0, of the group with this key.
 * record: what the group's owner knows of it.
 */
void tern_check_waits_enter_group(uint64_t key, uint64_t number, const void *record);

/* This PE is a member of the group, and has made no call with it yet. */
void tern_check_waits_add_group(uint64_t key);

/*
 * PEs have made different collective calls: some of these may never return. If no PE of the machine
 * can proceed soon after that, the job ends.
 */
void tern_check_waits_note_mismatch(void);

/* The group was destroyed. */
void tern_check_waits_forget_group(uint64_t key);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of the calls that the PEs of a machine are blocked in. */
#ifndef TERN_CHECK_HANG_TABLE_H
#define TERN_CHECK_HANG_TABLE_H

#include "tools/check/shared/board.h"

/* Reads the settings; ends the process if one is invalid. */
void tern_check_hang_table_start(void);

/* How long the watching thread of this slot's PE may sleep, in milliseconds. */
int tern_check_hang_table_pause_ms(const struct tern_check_board *board,
                                   const struct tern_check_slot *slot);

/*
 * Called by the leader at each of these intervals: prints the table if one was asked for, or a wait
 * takes too long.
 */
void tern_check_hang_table_poll(struct tern_check_board *board, struct tern_check_slot *mine);

#endif

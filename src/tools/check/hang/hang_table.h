/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of what all PEs of a machine wait in. */
#ifndef TERN_CHECK_HANG_TABLE_H
#define TERN_CHECK_HANG_TABLE_H

#include "tools/check/shared/board.h"

/* Reads the settings; what they can't be ends the process. */
void tern_check_hang_table_start(void);

/* How long the PE of this slot may sleep before it looks after the board again, in milliseconds. */
int tern_check_hang_table_pause_ms(const struct tern_check_board *board,
                                   const struct tern_check_slot *slot);

/* By the leader, now and then: prints the table if it is wanted, or a wait takes too long. */
void tern_check_hang_table_poll(struct tern_check_board *board, struct tern_check_slot *mine);

#endif

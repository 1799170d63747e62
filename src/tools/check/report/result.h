/* SPDX-License-Identifier: BSD-3-Clause */
/* Whether the PEs of the job have made mistakes; at the end a line says so if none has. */
#ifndef TERN_CHECK_RESULT_H
#define TERN_CHECK_RESULT_H

#include <stdbool.h>

#include "tools/check/shared/board.h"

/* After the first init, collectively. board: the machine's, or NULL; slot: this PE's. */
void tern_check_result_open(struct tern_check_board *board, struct tern_check_slot *slot);

/*
 * This PE has found that it ends OpenSHMEM where another PE makes another collective call, or the
 * reverse. It notes that on all PEs: those that end do not wait for the others any more.
 */
void tern_check_result_note_early_end(void);

/* Another PE has ended without shmem_finalize: this PE does not wait for it at the end. */
void tern_check_result_note_exit(void);

/*
 * Before the last finalize, collectively, after the PE's own mistakes were summarized.
 * misses_accesses: the check has looked for races without seeing the program's loads and stores.
 */
void tern_check_result_print(bool misses_accesses);

/*
 * At the end of the process. The last PE of PE 0's machine prints that there were no mistakes, if
 * PEs have made none after the last finalize either.
 */
void tern_check_result_exit(void);

#endif

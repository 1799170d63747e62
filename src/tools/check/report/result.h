/* SPDX-License-Identifier: BSD-3-Clause */
/* Whether the PEs of the job have made mistakes, which PE 0 prints at the end if none has. */
#ifndef TERN_CHECK_RESULT_H
#define TERN_CHECK_RESULT_H

#include <stdbool.h>

/* After the first init, collectively. */
void tern_check_result_open(void);

/*
 * This PE has found that it ends OpenSHMEM where another PE makes another collective call, or the
 * reverse. It notes that on all PEs: those that end do not wait for the others any more.
 */
void tern_check_result_note_early_end(void);

/* Another PE has ended without shmem_finalize: this PE does not wait for it at the end. */
void tern_check_result_note_exit(void);

/*
 * Before the last finalize, collectively, after the PE's own mistakes were summarized. with_races:
 * the check has looked for races as well.
 */
void tern_check_result_print(bool with_races);

#endif

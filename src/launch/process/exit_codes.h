/* SPDX-License-Identifier: BSD-3-Clause */
/* The exit statuses of oshrun, besides EXIT_FAILURE and those of its PEs. */
#ifndef TERN_LAUNCH_PROCESS_EXIT_CODES_H
#define TERN_LAUNCH_PROCESS_EXIT_CODES_H

#define TERN_EXIT_USAGE 2     /* the command line is wrong */
#define TERN_EXIT_TIMEOUT 124 /* --timeout ended the job; the status of timeout(1) */

/* The statuses of shells. */
#define TERN_EXIT_NOT_EXECUTABLE 126
#define TERN_EXIT_NOT_FOUND 127
#define TERN_EXIT_SIGNAL 128 /* plus the number of the signal that ended the process */

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* Several threads of one PE that run the same function, started and joined together. */
#ifndef THREADS_CREW_H
#define THREADS_CREW_H

#include "harness/check.h"

#define CREW 4

/* shmem_init_thread at SHMEM_THREAD_MULTIPLE, and check_attach. */
void crew_init(const char *program);

/* Runs work(0) to work(CREW - 1), each in a thread of its own; the caller takes part as 0. */
void crew_run(void (*work)(int thread));

/* Returns when all threads of the crew have called it. */
void crew_meet(void);

#endif

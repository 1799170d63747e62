/* SPDX-License-Identifier: BSD-3-Clause */
/* The job that this PE is part of, from the first init to the last finalize. */
#ifndef TERN_CORE_JOB_H
#define TERN_CORE_JOB_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/compiler.h"
#include "boot/boot.h"
#include "core/pool.h"
#include "mem/arena.h"
#include "mem/heap.h"

struct tern_bell;

/* As in the public header. */
#define TERN_THREAD_MULTIPLE 3

struct tern_job {
    int pe, n_pes;
    int cores;             /* for all PEs of this node together */
    int inits;             /* calls of init without a matching finalize yet */
    bool was_started;      /* it has been initialized at least once */
    int thread_level;      /* SHMEM_THREAD_* in force; TERN_THREAD_MULTIPLE is the last */
    pthread_t main_thread; /* the thread that called init */
    const struct tern_boot *boot;
    struct tern_arena arena;
    struct tern_heap heap; /* allocation state of this PE's heap */
    char *heap_start;
    struct tern_bell *bells; /* one for each PE of the job; those of this node's PEs are used */
    struct tern_pool *pool;  /* shared blocks for teams */
    size_t pool_bytes;
};

extern TERN_PE_LOCAL struct tern_job tern_job;

/* Whether the library is initialized. */
static inline bool tern_job_runs(void)
{
    return tern_job.inits > 0;
}

#endif

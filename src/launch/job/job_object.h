/* SPDX-License-Identifier: BSD-3-Clause */
/* The shared memory object of the job's PEs on this node. */
#ifndef TERN_LAUNCH_JOB_JOB_OBJECT_H
#define TERN_LAUNCH_JOB_JOB_OBJECT_H

#include <stdint.h>

#include "boot/job_area.h"

struct tern_job_object {
    int fd;       /* the object; it has the same number in the PEs */
    int lifeline; /* the pipe's only writing end; PEs have the reading end here */
    struct tern_job_area *shared;
    char boot[96]; /* TERN_BOOT=... */
};

/* Returns 0, or -errno after a message. */
int tern_job_object_make(struct tern_job_object *object, uint32_t n_pes, uint32_t cores);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* The node's shared object, as the launcher makes it. */
#ifndef TERN_LAUNCH_JOB_JOB_OBJECT_H
#define TERN_LAUNCH_JOB_JOB_OBJECT_H

#include <stdint.h>

#include "boot/job_area.h"

struct tern_job_object {
    int fd;       /* the object; of the same number in the PEs */
    int lifeline; /* the pipe's only end to write to; the number of the PEs' end, too */
    struct tern_job_area *shared;
    char boot[96]; /* TERN_BOOT=... */
};

/* Returns 0, or -errno after a message. */
int tern_job_object_make(struct tern_job_object *object, uint32_t n_pes, uint32_t cores);

#endif

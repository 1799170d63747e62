/* SPDX-License-Identifier: BSD-3-Clause */
/* Holds the job's data, which core/lifecycle.c fills in. */
#include "core/job.h"

TERN_PE_LOCAL struct tern_job tern_job;

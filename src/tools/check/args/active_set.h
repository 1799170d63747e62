/* SPDX-License-Identifier: BSD-3-Clause */
/* The active set of a call: PE_size PEs, from PE_start on, at a stride of 1 << logPE_stride. */
#ifndef TERN_CHECK_ACTIVE_SET_H
#define TERN_CHECK_ACTIVE_SET_H

#include <stdbool.h>
#include <stdint.h>

#include "tools/call.h"

/* Whether the logarithm of a stride is in range. */
bool tern_check_active_set_is_stride(int64_t log_stride);

/* This PE's number in the active set, or -1. */
int tern_check_active_set_rank(int64_t start, int log_stride, int64_t size);

/* The last PE of the active set of a call, whose size and stride are valid. */
int64_t tern_check_active_set_last(struct tern_call *call);

/* Whether the call names an active set with PEs that are not in the job. */
bool tern_check_active_set_leaves_job(struct tern_call *call);

/* Whether the call names a valid active set that does not include this PE. */
bool tern_check_active_set_is_without_me(struct tern_call *call);

#endif

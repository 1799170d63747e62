/* SPDX-License-Identifier: BSD-3-Clause */
/* Computes which PEs are in an active set. */
#include "tools/check/args/active_set.h"

#include "tools/check/shared/identity.h"

int tern_check_active_set_rank(int64_t start, int log_stride, int64_t size)
{
    int64_t distance = tern_check_my_pe() - start, rank = distance >> log_stride;

    return distance < 0 || rank >= size || rank << log_stride != distance ? -1 : (int)rank;
}

bool tern_check_active_set_is_stride(int64_t log_stride)
{
    return log_stride >= 0 && log_stride <= 30;
}

bool tern_check_active_set_is_without_me(struct tern_call *call)
{
    int64_t start = tern_call_number(call, TERN_PE_START, 0),
            log_stride = tern_call_number(call, TERN_LOG_PE_STRIDE, 0),
            size = tern_call_number(call, TERN_PE_SIZE, 0);

    return call->routine->place[TERN_LOG_PE_STRIDE] && size > 0 && start >= 0 &&
           tern_check_active_set_is_stride(log_stride) &&
           tern_check_active_set_rank(start, (int)log_stride, size) < 0;
}

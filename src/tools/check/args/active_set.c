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

/* Whether its size and its stride are valid. */
static bool has_set(struct tern_call *call)
{
    return call->routine->place[TERN_LOG_PE_STRIDE] &&
           tern_call_number(call, TERN_PE_SIZE, 0) > 0 &&
           tern_check_active_set_is_stride(tern_call_number(call, TERN_LOG_PE_STRIDE, 0));
}

int64_t tern_check_active_set_last(struct tern_call *call)
{
    return tern_call_number(call, TERN_PE_START, 0) +
           ((tern_call_number(call, TERN_PE_SIZE, 0) - 1)
            << tern_call_number(call, TERN_LOG_PE_STRIDE, 0));
}

bool tern_check_active_set_leaves_job(struct tern_call *call)
{
    return has_set(call) && (tern_call_number(call, TERN_PE_START, 0) < 0 ||
                             tern_check_active_set_last(call) >= tern_check_n_pes());
}

bool tern_check_active_set_is_without_me(struct tern_call *call)
{
    return has_set(call) && !tern_check_active_set_leaves_job(call) &&
           tern_check_active_set_rank(tern_call_number(call, TERN_PE_START, 0),
                                      (int)tern_call_number(call, TERN_LOG_PE_STRIDE, 0),
                                      tern_call_number(call, TERN_PE_SIZE, 0)) < 0;
}

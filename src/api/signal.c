/* SPDX-License-Identifier: BSD-3-Clause */
/* Signaling operations (9.8). */
#include "api/export.h"
#include "api/own.h"
#include "base/log.h"
#include "core/amo.h"
#include "core/ctx.h"
#include "core/rma.h"

/* Whether sig_op adds to the signal, rather than sets it. */
TERN_INLINE bool is_add(int sig_op, const char *routine)
{
    if (tern_unlikely(sig_op != SHMEM_SIGNAL_SET && sig_op != SHMEM_SIGNAL_ADD))
        tern_fatal(routine, "sig_op is %d: use SHMEM_SIGNAL_SET or SHMEM_SIGNAL_ADD", sig_op);
    return sig_op == SHMEM_SIGNAL_ADD;
}

#include "api/form_plain.h"

#include "api/signal_form.inc"

#include "api/form_ctx.h"

#include "api/signal_form.inc"

TERN_API(uint64_t, shmem_signal_fetch)(const uint64_t *sig_addr)
{
    require_own_scalar(sig_addr, sizeof *sig_addr, "sig_addr", TERN_ROUTINE);
    return tern_load_acquire(sig_addr); /* partner: the release of the update */
}

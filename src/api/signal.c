/* SPDX-License-Identifier: BSD-3-Clause */
/* Signaling operations (9.8). */
#include "api/check.h"
#include "api/export.h"
#include "base/log.h"
#include "core/amo.h"
#include "core/ctx.h"
#include "core/rma.h"

/* Before any data moves; the layers below would call the signal dest. */
TERN_INLINE void check_signal(const uint64_t *sig_addr, int pe, const char *routine)
{
    if (tern_unlikely(!tern_route_scalar(sig_addr, pe)))
        tern_far_translate(sig_addr, 1, sizeof *sig_addr, pe, "sig_addr", routine);
}

TERN_INLINE void check_sig_op(int sig_op, const char *routine)
{
    if (tern_unlikely(sig_op != SHMEM_SIGNAL_SET && sig_op != SHMEM_SIGNAL_ADD))
        tern_fatal(routine, "sig_op is %d: use SHMEM_SIGNAL_SET or SHMEM_SIGNAL_ADD", sig_op);
}

#include "api/form_plain.h"

#include "api/signal_form.inc"

#include "api/form_ctx.h"

#include "api/signal_form.inc"

TERN_API(uint64_t, shmem_signal_fetch)(const uint64_t *sig_addr)
{
    require_own_scalar(sig_addr, sizeof *sig_addr, "sig_addr", TERN_ROUTINE);
    return tern_load_flag(sig_addr); /* partner: as in shmem_signal_wait_until() */
}

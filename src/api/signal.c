/* SPDX-License-Identifier: BSD-3-Clause */
/* Signaling operations (9.8). */
#include "api/check.h"
#include "api/export.h"
#include "base/bytes.h"
#include "base/log.h"
#include "core/amo.h"
#include "core/ctx.h"
#include "core/rma.h"
#include "core/wait.h"

/* The checks of lower layers would call the signal "dest". */
TERN_INLINE void check_signal(const uint64_t *sig_addr, int pe, const char *routine)
{
    if (tern_unlikely(!tern_route_word(sig_addr, sizeof *sig_addr, pe)))
        tern_remote_find_word(sig_addr, sizeof *sig_addr, pe, "sig_addr", routine);
}

TERN_INLINE enum tern_net_op signal_operation(int sig_op, const char *routine)
{
    if (tern_unlikely(sig_op != SHMEM_SIGNAL_SET && sig_op != SHMEM_SIGNAL_ADD))
        tern_fatal(routine, "sig_op is %d: use SHMEM_SIGNAL_SET or SHMEM_SIGNAL_ADD", sig_op);
    return sig_op == SHMEM_SIGNAL_ADD ? TERN_NET_ADD : TERN_NET_SET;
}

#include "api/form_plain.h"

#include "api/signal_form.inc"

#include "api/form_ctx.h"

#include "api/signal_form.inc"

/* A signal that has not changed since the last fetch counts as an unsuccessful poll. */
static TERN_PE_LOCAL uint64_t last_fetched;

TERN_API(uint64_t, shmem_signal_fetch)(const uint64_t *sig_addr)
{
    uint64_t signal;

    require_own_word(sig_addr, sizeof *sig_addr, "sig_addr", TERN_ROUTINE);
    signal = tern_load_flag(sig_addr); /* partner: the release of the update */
    tern_wait_looked(signal != tern_load_relaxed(&last_fetched));
    tern_store_relaxed(&last_fetched, signal);
    return signal;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* A name on the machine that stands for the PE's place. */
#include "boot/pe_lock.h"

#include <errno.h>
#include <unistd.h>

#include "base/compiler.h"
#include "boot/local.h"

/* The PE's own, and one for a socket that it hands to MPI, see pmi_share.h. */
#define MOST_CLAIMS 2

static TERN_PE_LOCAL int claims[MOST_CLAIMS];
static TERN_PE_LOCAL int n_claims;

/*
 * Where a name can't be taken for another reason than that it is, the process goes ahead: that is
 * right for all but what a PE starts.
 */
bool tern_claim_take(uint64_t place)
{
    int fd = tern_local_listen("pe", place), owner;

    if (fd == -EADDRINUSE) {
        owner = tern_local_connect("pe", place, true); /* nobody takes calls there */
        if (owner != -EPERM) {
            if (owner >= 0)
                close(owner);
            return false;
        }
    }
    if (fd >= 0 && n_claims < MOST_CLAIMS)
        claims[n_claims++] = fd;
    return true;
}

void tern_claim_forget(void)
{
    while (n_claims > 0)
        close(claims[--n_claims]);
}

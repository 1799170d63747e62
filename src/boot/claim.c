/* SPDX-License-Identifier: BSD-3-Clause */
/* A name on the machine that stands for the PE's place. */
#include "boot/claim.h"

#include <errno.h>
#include <unistd.h>

#include "base/compiler.h"
#include "boot/local.h"

static TERN_PE_LOCAL int claim_fd = -1;

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
    claim_fd = fd;
    return true;
}

void tern_claim_forget(void)
{
    if (claim_fd >= 0)
        close(claim_fd);
    claim_fd = -1;
}

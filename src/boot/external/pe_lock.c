/* SPDX-License-Identifier: BSD-3-Clause */
/* The lock is the name of a socket, which one process of the machine can have at a time. */
#include "boot/external/pe_lock.h"

#include <errno.h>
#include <unistd.h>

#include "base/compiler.h"
#include "boot/external/local.h"

/* The PE's own, and one for a socket that it gives to MPI: see pmi_share.h. */
#define MOST_LOCKS 2

static TERN_PE_LOCAL int locks[MOST_LOCKS];
static TERN_PE_LOCAL int n_locks;

/*
 * If the name can't be taken for any other reason than that another process has it, this process
 * counts as the PE, which is right for all processes but those that a PE starts.
 */
bool tern_pe_lock_take(uint64_t key)
{
    int fd = tern_local_listen("pe", key), owner;

    if (fd == -EADDRINUSE) {
        owner =
            tern_local_connect("pe", key, true); /* `now`: the owner never accepts connections */
        if (owner != -EPERM) {
            if (owner >= 0)
                close(owner);
            return false;
        }
    }
    if (fd >= 0 && n_locks < MOST_LOCKS)
        locks[n_locks++] = fd;
    return true;
}

void tern_pe_lock_forget(void)
{
    while (n_locks > 0)
        close(locks[--n_locks]);
}

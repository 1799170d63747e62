/* SPDX-License-Identifier: BSD-3-Clause */
/* Locks (9.13). */
#include "core/lock.h"

#include "api/check.h"
#include "api/export.h"
#include "core/order.h"
#include "core/wait.h"

_Static_assert(sizeof(long) == sizeof(uint64_t), "a lock has the fields of core/lock_queue.inc");

TERN_API(void, shmem_set_lock)(long *lock)
{
    require_own_word(lock, sizeof *lock, "lock", TERN_ROUTINE);
    tern_lock_set((uint64_t *)lock, TERN_ROUTINE);
}

TERN_API(int, shmem_test_lock)(long *lock)
{
    require_own_word(lock, sizeof *lock, "lock", TERN_ROUTINE);
    return tern_wait_looked(tern_lock_test((uint64_t *)lock, TERN_ROUTINE) == 0) ? 0 : 1;
}

TERN_API(void, shmem_clear_lock)(long *lock)
{
    require_own_word(lock, sizeof *lock, "lock", TERN_ROUTINE);
    tern_order_complete(); /* the lock's own operations order what is done on the node */
    tern_lock_clear((uint64_t *)lock, TERN_ROUTINE);
}

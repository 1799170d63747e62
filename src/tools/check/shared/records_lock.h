/* SPDX-License-Identifier: BSD-3-Clause */
/* The lock of the records of blocks, objects, handles and locks. */
#ifndef TERN_CHECK_RECORDS_LOCK_H
#define TERN_CHECK_RECORDS_LOCK_H

/*
 * A call takes no lock where only one of the program's threads may make calls, and changes no
 * record while it is blocked. The only calls made with the lock held are queries, which do not
 * block.
 */
void tern_check_records_lock(void);
void tern_check_records_unlock(void);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* The lock of the books of blocks, objects, handles and locks. */
#ifndef TERN_CHECK_RECORDS_LOCK_H
#define TERN_CHECK_RECORDS_LOCK_H

/*
 * Where only one of the program's threads may make calls it takes no lock, and changes no book
 * while it waits in a call. No call is made with the lock but queries, which return at once.
 */
void tern_check_records_lock(void);
void tern_check_records_unlock(void);

#endif

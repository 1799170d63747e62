/* SPDX-License-Identifier: BSD-3-Clause */
/* The lock of the books of blocks, objects, handles and locks. */
#ifndef TERN_CHECK_CHECK_H
#define TERN_CHECK_CHECK_H

/*
 * For the tool's own thread: keeps the program's threads from changing the books. Where only one of
 * them may make calls it takes no lock, and has to be waiting in a call.
 */
void tern_check_books_lock(void);
void tern_check_books_unlock(void);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* Counts the private memory that a thread holds. */
#ifndef TESTS_LARGE_MEMORY_H
#define TESTS_LARGE_MEMORY_H

/* Bytes that the calling thread has allocated, without those that it has freed. */
long memory_held(void);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* The program's other file: it inlines calls too, and counts the calls of the library. */
#ifndef LANG_INLINE_FAR_H
#define LANG_INLINE_FAR_H

extern int n_calls;

void put_elsewhere(long *dest, long value, int pe);

#endif

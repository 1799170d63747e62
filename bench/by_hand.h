/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A load and a store as routines of a shared library, which is the least that any OpenSHMEM
 * library's p, g, atomic fetch and atomic set can be: a call into another library takes longer than
 * the access.
 */
#ifndef BY_HAND_H
#define BY_HAND_H

void by_hand_store(long *to, long value);
long by_hand_load(const long *from);
void by_hand_store_int(unsigned *to, unsigned value);
unsigned by_hand_load_int(const unsigned *from);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks the memory that calls read and write. */
#ifndef TERN_CHECK_ADDRESSES_H
#define TERN_CHECK_ADDRESSES_H

#include "tools/call.h"

/* Reports what is wrong with the addresses of a call. The caller holds the records lock. */
void tern_check_addresses_check(struct tern_call *call);

/*
 * The same for the dest of a collect, whose size follows from what all members contribute: `bytes`.
 */
void tern_check_addresses_check_collected(struct tern_call *call, size_t bytes);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* Whether what a call reads and writes is memory that it may reach. */
#ifndef TERN_CHECK_ADDRESSES_H
#define TERN_CHECK_ADDRESSES_H

#include "tools/call.h"

/* Reports what is wrong with the addresses of a call. The caller holds a lock. */
void tern_check_addresses_check(struct tern_call *call);

#endif

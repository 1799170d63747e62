/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks that private memory is as long as calls need it, where its length is known. */
#ifndef TERN_CHECK_PRIVATE_EXTENTS_H
#define TERN_CHECK_PRIVATE_EXTENTS_H

#include "tools/call.h"

/* From now on calls that access more private memory than there is do not bypass the tool. */
void tern_check_private_extents_start(void);

/*
 * Reports an argument of the call if `bytes` bytes from `start` on reach beyond the block of malloc
 * or the variable of a shared library in which they begin. The bytes are neither symmetric nor in
 * the program's own file. name: of the argument.
 */
void tern_check_private_extents_check(const struct tern_call *call, const char *name,
                                      uintptr_t start, size_t bytes);

#endif

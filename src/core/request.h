/* SPDX-License-Identifier: BSD-3-Clause */
/* Requests: operations whose completion on this PE is tested or awaited by handles. */
#ifndef TERN_CORE_REQUEST_H
#define TERN_CORE_REQUEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "net/net.h"

/*
 * Each starts an operation on the default context and returns. handle NULL: a quiet completes it.
 * Otherwise *handle is set for the routines below. On this node, and if no handle is left, the
 * operation is complete at return. Arguments are those of core/rma.h and core/amo.h; fetch NULL:
 * the old value is not returned.
 */
void tern_request_put(void *dest, const void *source, size_t bytes, int pe, const char *routine,
                      void **handle);
void tern_request_get(void *dest, const void *source, size_t bytes, int pe, const char *routine,
                      void **handle);
void tern_request_amo(enum tern_net_op op, unsigned width, void *fetch, void *dest,
                      uint64_t operand, uint64_t compare, int pe, const char *routine,
                      void **handle);

/*
 * Whether the operation is complete on this PE. Completion ends the handle; an ended handle counts
 * as complete. NULL stands for all operations without a handle. Ends the program if the handle is
 * invalid or of another PE.
 */
bool tern_request_test(void *handle, const char *routine);
void tern_request_wait(void *handle, const char *routine);

/* At the end of the job: ends all handles. */
void tern_request_stop(void);

#endif

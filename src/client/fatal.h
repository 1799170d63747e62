/* SPDX-License-Identifier: BSD-3-Clause */
/* Reports misuse of an interface that is built on the library. */
#ifndef TERN_CLIENT_FATAL_H
#define TERN_CLIENT_FATAL_H

#include "base/compiler.h"

/*
 * Prints "tern: PE 3 of 8: ROUTINE: message" and ends the job with status 1. Before init and after
 * finalize it prints "tern: ROUTINE: message" and ends the process.
 */
void tern_client_fatal(const char *routine, const char *fmt, ...)
    TERN_PRINTF(2, 3) TERN_NORETURN TERN_COLD;

#endif

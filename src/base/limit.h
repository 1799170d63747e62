/* SPDX-License-Identifier: BSD-3-Clause */
/* Names the limit that made a system call fail, for messages. */
#ifndef TERN_BASE_LIMIT_H
#define TERN_BASE_LIMIT_H

#include <stddef.h>

#include "base/compiler.h"

enum tern_limit {
    TERN_LIMIT_THREADS, /* pthread_create() has failed */
    TERN_LIMIT_MEMORY,  /* malloc() or mmap() */
    TERN_LIMIT_LOCKED,  /* the registration of memory for the network */
    TERN_LIMIT_FILES,   /* a call that opens a descriptor */
};

/* Room for the text below. */
#define TERN_LIMIT_BYTES 128

/*
 * Writes which limit has been reached, with its value, for the end of a message: "RLIMIT_NPROC is
 * 40 (ulimit -u)". bytes: how many were requested, 0 for threads.
 */
void tern_limit_explain(enum tern_limit what, size_t bytes, char text[TERN_LIMIT_BYTES]) TERN_COLD;

/* Room for the text below. */
#define TERN_LIMIT_ERROR_BYTES (TERN_LIMIT_BYTES + 64)

/*
 * Writes what a call's errno means, for the end of a message, and the limit behind it if there is
 * one: "Too many open files: RLIMIT_NOFILE is 1024 (ulimit -n)".
 */
void tern_limit_explain_error(int error, char text[TERN_LIMIT_ERROR_BYTES]) TERN_COLD;

/*
 * For set-up code: prints the error "WHAT: ", with what the call's errno means as above. Returns
 * -error.
 */
int tern_limit_report(int error, const char *what, ...) TERN_PRINTF(2, 3) TERN_COLD;

/* Ends the process: `bytes` for `what` could not be allocated. routine may be NULL. */
void tern_limit_no_memory(const char *routine, const char *what,
                          size_t bytes) TERN_NORETURN TERN_COLD;

/* Warns of the same: the routine returns an error. */
void tern_limit_warn(const char *routine, const char *what, size_t bytes) TERN_COLD;

/* The same for set-up code: prints the error and returns -ENOMEM. */
int tern_limit_refuse(const char *what, size_t bytes) TERN_COLD;

#endif

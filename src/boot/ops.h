/* SPDX-License-Identifier: BSD-3-Clause */
/* The operations that differ by how a PE was started: by oshrun, another launcher, or none. */
#ifndef TERN_BOOT_OPS_H
#define TERN_BOOT_OPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "boot/boot.h"
#include "boot/start_error.h"

/* What a process is, by the launcher's variables. */
enum tern_role {
    TERN_ROLE_UNKNOWN, /* there are no such variables, or they make no sense */
    TERN_ROLE_PE,      /* a PE */
    TERN_ROLE_CHILD,   /* started by a PE, whose variables it has inherited: a job of its own */
};

/*
 * One way of being started. Every slot is filled. boot.c chooses a table in tern_boot_attach(), and
 * calls only through that one. Functions that return int give 0, or -errno after a message.
 *
 * The threads that call:
 *
 *     attach                one, before main; libc may not be set up: no environ, nothing is
 * printed join, exchange        the thread in shmem_init, one call after the other card, open_image
 * any thread, after exchange() and join() forget                the only thread of a forked child
 *     watch                 the failure detector's, once; it may overlap with all that follows
 *     leave, abort          one thread, whichever, calls one of them, once, after join() has begun.
 *                           A mistake in another thread can make that overlap with join() and
 *                           exchange(), and the failure detector's thread may be the caller
 *     abort_keeps, vacate   any thread, after join() has begun or at exit; they don't wait
 */
struct tern_boot_ops {
    /* Claims this PE's place; fills in `boot` up to "node". It may have a start-up error instead.
     */
    enum tern_role (*attach)(char *const *envp, struct tern_boot *boot,
                             struct tern_start_error *start_error);

    /* On all PEs: fills in the rest of `boot`. */
    int (*join)(struct tern_boot *boot, const struct tern_boot_request *request);

    /* On all PEs, after join(): see tern_boot_exchange() and tern_boot_card(). */
    int (*exchange)(const struct tern_boot *boot, const void *card, size_t bytes);
    const void *(*card)(const struct tern_boot *boot, int pe);

    /* See tern_boot_open_image(). */
    int (*open_image)(const struct tern_boot *boot, int node_pe, uint64_t *offset);

    /* A descriptor that becomes readable, or hangs up, when the launcher is gone; -1: none. */
    int (*watch)(void);

    /* The process exits with this status: gives up its slot, which it has. */
    void (*vacate)(const struct tern_boot *boot, int status);

    /* This PE ends, and all is well with it. */
    void (*leave)(void);

    /* Ends the whole job; may return. The status is passed on if abort_keeps() says so. */
    void (*abort)(int status);
    bool (*abort_keeps)(int status);

    /* In a child: gives up what only one process may have. Memory stays mapped. */
    void (*forget)(void);
};

extern const struct tern_boot_ops tern_oshrun_ops, tern_external_ops, tern_single_ops;

#endif

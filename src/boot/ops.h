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
 */
struct tern_boot_ops {
    /*
     * One thread, before main: claims this PE's place, and fills in `boot` up to "node". libc may
     * not be set up yet: environ is not read, and nothing is printed. What is wrong with the
     * launcher's variables becomes the start-up error.
     */
    enum tern_role (*attach)(char *const *envp, struct tern_boot *boot,
                             struct tern_start_error *start_error);

    /*
     * On all PEs, by the thread in shmem_init: fills in the rest of `boot`. After an error the
     * program may call shmem_init again.
     */
    int (*join)(struct tern_boot *boot, const struct tern_boot_request *request);

    /* On all PEs, by the thread in shmem_init, after join(): see tern_boot_exchange(). */
    int (*exchange)(const struct tern_boot *boot, const void *card, size_t bytes);

    /* Any thread, after exchange(): see tern_boot_card(). */
    const void *(*card)(const struct tern_boot *boot, int pe);

    /* Any thread, after join(): see tern_boot_open_image(). */
    int (*open_image)(const struct tern_boot *boot, int node_pe, uint64_t *offset);

    /*
     * The failure detector's thread, once, after join(): a descriptor as tern_boot_watch_fd()
     * returns it. It may overlap with the operations below.
     */
    int (*watch)(void);

    /*
     * Any thread, of a PE with a slot: peers and the launcher see in it that the process exits with
     * this status. Does not wait.
     */
    void (*vacate)(const struct tern_boot *boot, int status);

    /*
     * leave() reports to the launcher that this PE ends in order. abort() has it end the whole job,
     * and may return. One thread calls one of them, once, after join() has begun. It can be the
     * failure detector's, or one that made a mistake while another thread is still in join() or
     * exchange(). Both may wait for the launcher.
     */
    void (*leave)(void);
    void (*abort)(int status);

    /* Any thread, after join() has begun: whether the job ends with the status of abort(). */
    bool (*abort_keeps)(int status);

    /* In the child of a fork: gives up what only one process may have. Memory stays mapped. */
    void (*forget)(void);
};

extern const struct tern_boot_ops tern_oshrun_ops, tern_external_ops, tern_single_ops;

#endif

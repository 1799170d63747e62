/* SPDX-License-Identifier: BSD-3-Clause */
/* The rendezvous of a machine's PEs: one of them makes the shared memory for all. */
#ifndef TERN_BOOT_EXTERNAL_RENDEZVOUS_H
#define TERN_BOOT_EXTERNAL_RENDEZVOUS_H

#include <stdint.h>

#include "boot/external/hello.h"
#include "boot/external/machine_memory.h"

/* What a PE has after the rendezvous. */
struct tern_rendezvous {
    struct tern_machine_area *machine;
    struct tern_job_area *area; /* of its node */
    int node, fd;
    int *images; /* descriptors by node PE; NULL: PEs open them through /proc */
};

/*
 * Before the first fence: the first PE of the machine to call this becomes the server, and gets a
 * descriptor. Others get -EADDRINUSE. Another -errno is an error, without a message.
 */
int tern_rendezvous_open(uint64_t job);

/*
 * After the first fence. The server makes the shared memory as the hello records of all PEs
 * require, and gives it to the PEs of its machine. `problem` is 0, or an error that was printed
 * already, which the server passes on to them. The other PEs, each with the nonce of its hello
 * record, receive the memory. `image` is the descriptor of this PE's image, or -1. 0, or -errno
 * after a message by one PE of the machine.
 */
int tern_rendezvous_serve(int fd, const struct tern_hello *hellos, int n, int me, int problem,
                          int image, struct tern_rendezvous *made);
int tern_rendezvous_meet(uint64_t job, int me, uint64_t nonce, int image,
                         struct tern_rendezvous *got);

#endif

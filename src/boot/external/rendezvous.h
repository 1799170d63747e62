/* SPDX-License-Identifier: BSD-3-Clause */
/* PEs of one machine meet: one of them makes the shared memory, and hands it to the others. */
#ifndef TERN_BOOT_EXTERNAL_RENDEZVOUS_H
#define TERN_BOOT_EXTERNAL_RENDEZVOUS_H

#include <stdint.h>

#include "boot/external/hello.h"
#include "boot/external/machine_memory.h"

/* What a PE has after it has met the others. */
struct tern_rendezvous {
    struct tern_machine_area *machine;
    struct tern_job_area *area; /* of its node */
    int node, fd;
    int *images; /* by node PE; NULL: peers can open them by the process's number */
};

/*
 * Before the first fence: takes the machine's name for the job. The first one serves the others: it
 * gets a descriptor; others get -EADDRINUSE; or it is another -errno, without a message.
 */
int tern_rendezvous_open(uint64_t job);

/*
 * After it, with the values of all PEs, and the descriptor of this PE's image or -1. The server
 * makes the shared memory and waits for the PEs of its machine; `problem` is 0, or an error that
 * has been found and told, which they are to share. The others take what it has made; they know
 * their own value only. 0, or -errno after a message on the machine.
 */
int tern_rendezvous_serve(int fd, const struct tern_hello *hellos, int n, int me, int problem,
                          int image, struct tern_rendezvous *made);
int tern_rendezvous_meet(uint64_t job, int me, uint64_t nonce, int image,
                         struct tern_rendezvous *got);

#endif

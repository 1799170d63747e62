/* SPDX-License-Identifier: BSD-3-Clause */
/* PEs of one machine meet: one of them makes the shared memory, and hands it to the others. */
#ifndef TERN_BOOT_EXTERNAL_RENDEZVOUS_H
#define TERN_BOOT_EXTERNAL_RENDEZVOUS_H

#include <stdint.h>

#include "boot/boot.h"
#include "boot/external/hello.h"

/*
 * What all PEs of a machine share, whichever node of it they are on: the layout of the job, and the
 * cards of all PEs.
 */
struct tern_machine_area {
    uint32_t n_pes; /* of the job */
    uint32_t n_nodes;
    uint32_t n_here;    /* PEs on this machine */
    uint32_t n_near;    /* PEs under its kernel: those of other containers, too */
    uint32_t exchanged; /* of them, those that have written their cards; counts up, with release */
    uint32_t complete;  /* whether the cards of other machines are in place; see join.c */
    uint32_t reserved;
    uint64_t memory; /* see struct tern_boot */
    struct tern_pe_range nodes[];
};

static inline uint64_t tern_machine_cards_offset(uint32_t n_nodes)
{
    uint64_t end = sizeof(struct tern_machine_area) + n_nodes * sizeof(struct tern_pe_range);

    return (end + 63) & ~UINT64_C(63);
}

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

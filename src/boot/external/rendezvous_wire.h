/* SPDX-License-Identifier: BSD-3-Clause */
/* The messages between the server of a machine and its clients, and what both sides do. */
#ifndef TERN_BOOT_EXTERNAL_RENDEZVOUS_WIRE_H
#define TERN_BOOT_EXTERNAL_RENDEZVOUS_WIRE_H

#include <stdint.h>
#include <sys/resource.h>

#define CALL_MAGIC UINT32_C(0x6e726574)

/*
 * All PEs have passed a fence, so they get here within moments. Clients wait longer than the
 * server, because the server's message can name the PE that is missing.
 */
#ifndef PATIENCE_S /* a test has less */
#define PATIENCE_S 60
#endif
#define SERVER_PATIENCE_S (PATIENCE_S * 3 / 2)

/* A server that has failed has printed the reason, and its launcher is about to end the job. */
#define SERVER_GRACE_MS 1000

/* From a client to the server. */
struct tern_rendezvous_call {
    uint32_t magic;
    int32_t pe;
    int32_t pid; /* as the PE sees itself */
    uint32_t reserved;
    uint64_t nonce;
    uint64_t users; /* see tern_rendezvous_users() */
};

/* From the server to a client. */
struct tern_rendezvous_welcome {
    int32_t problem; /* 0, or -errno: an error that was printed, and ends the job */
    int32_t asks;    /* the server asks for the PE's image: a later welcome has the other fields */
    uint64_t machine_bytes;
    uint64_t head_bytes; /* of the node's area */
    int32_t node;
    int32_t n_images; /* of the node's PEs, which follow in order, a few a message; or 0 */
};

/* A welcome comes with these descriptors. */
enum { MACHINE_FD, NODE_FD, WELCOME_FDS };

/* The most images of a node that the server passes on: PEs keep their descriptors open. */
#define MOST_IMAGES 256

/*
 * The number of this process's user namespace, 0: unknown. A process can't open descriptors of one
 * in another namespace, even of the same user.
 */
uint64_t tern_rendezvous_users(void);

/*
 * For a moment a PE needs up to two descriptors for each PE of the machine, and may have as many of
 * them on their way as it may have open ones. Allows this process as many as the user may have, and
 * returns the limits to set afterwards.
 */
struct rlimit tern_rendezvous_raise_descriptors(void);

#endif

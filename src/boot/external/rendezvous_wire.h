/* SPDX-License-Identifier: BSD-3-Clause */
/* What the server of a machine and its clients send each other, and what both do. */
#ifndef TERN_BOOT_EXTERNAL_RENDEZVOUS_WIRE_H
#define TERN_BOOT_EXTERNAL_RENDEZVOUS_WIRE_H

#include <stdint.h>
#include <sys/resource.h>

#define CALL_MAGIC UINT32_C(0x6e726574)

/*
 * All PEs have passed a fence, so that they are here within moments. The server waits for them
 * first, and its message names those that are missing, so the others wait for it longer.
 */
#ifndef PATIENCE_S /* a test has less */
#define PATIENCE_S 60
#endif
#define SERVER_PATIENCE_S (PATIENCE_S * 3 / 2)

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
    int32_t problem; /* 0, or -errno: it has been told, and the job ends */
    int32_t asks; /* for the PE's image: nothing else is filled in, and another welcome follows */
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
 * The number of this process's user namespace, 0: unknown. A process of one can't look into those
 * of another, whatever their user.
 */
uint64_t tern_rendezvous_users(void);

/*
 * For a moment a PE needs up to two descriptors for each PE of the machine, and may have as many of
 * them on their way as it may have open ones. Allows this process as many as the user may have, and
 * returns the limits to set afterwards.
 */
struct rlimit tern_rendezvous_raise_descriptors(void);

#endif

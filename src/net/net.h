/* SPDX-License-Identifier: BSD-3-Clause */
/* The network: what the library needs from an engine that reaches PEs on other nodes. */
#ifndef TERN_NET_NET_H
#define TERN_NET_NET_H

#include <stddef.h>
#include <stdint.h>

#include "base/compiler.h"

/* Atomic operations as the network sees them: an operation on 4 or 8 bytes. No type reaches it. */
enum tern_net_op {
    TERN_NET_FETCH,
    TERN_NET_SET,
    TERN_NET_SWAP,
    TERN_NET_COMPARE_SWAP,
    TERN_NET_ADD, /* of two's complement, so signed and unsigned alike */
    TERN_NET_AND,
    TERN_NET_OR,
    TERN_NET_XOR,
};

/*
 * One engine. PEs are numbered in the world; a remote address is a symmetric address of this PE
 * that has been checked to be one. Every slot is filled. Calls come from any thread at once.
 */
struct tern_net_ops {
    const char *name;

    /* Starts or ends the engine; 0 or -errno. start prints its reasons. */
    int (*start)(int pe, int n_pes);
    void (*stop)(void);

    /*
     * Whether PEs of other nodes can be reached at all, as an error number: an engine that
     * returns nonzero here has none of the calls below made to it.
     */
    int (*reaches)(int pe);

    /* put returns when source may be reused, put_nbi at once; quiet completes both. */
    void (*put)(void *dest, const void *source, size_t bytes, int pe);
    void (*put_nbi)(void *dest, const void *source, size_t bytes, int pe);

    /* get returns with the data in dest, get_nbi at once. */
    void (*get)(void *dest, const void *source, size_t bytes, int pe);
    void (*get_nbi)(void *dest, const void *source, size_t bytes, int pe);

    /*
     * Atomic with respect to the processors of the target's node as well. fetch is NULL for an
     * operation whose old value nobody wants; otherwise it is set at return.
     */
    void (*amo)(enum tern_net_op op, unsigned width, void *dest, uint64_t operand, uint64_t compare,
                uint64_t *fetch, int pe);

    /* Orders, or completes, what this PE has sent: fence for each target, quiet for all. */
    void (*fence)(void);
    void (*quiet)(void);
};

/* The engine in use. With one node it is tern_net_none, which reaches nobody. */
extern TERN_PE_LOCAL const struct tern_net_ops *tern_net;

extern const struct tern_net_ops tern_net_none;

/* Chooses and starts the engine for a job of that many nodes; 0 or -errno. */
int tern_net_start(int n_nodes, int pe, int n_pes);

#endif

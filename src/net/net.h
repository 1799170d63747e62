/* SPDX-License-Identifier: BSD-3-Clause */
/* The network: what the library needs from an engine that reaches PEs on other nodes. */
#ifndef TERN_NET_NET_H
#define TERN_NET_NET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/compiler.h"
#include "base/limit.h"

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
 * A stream of operations with an order and a completion of its own: what a context is to the
 * network. NULL stands for the default one, which always exists.
 */
struct tern_net_channel;

/* What an engine writes so that other PEs can find this one; exchanged by the launcher. */
#define TERN_NET_CARD_BYTES 192

/* The longest message. */
#define TERN_NET_MESSAGE_BYTES 8192

/*
 * Operations that somebody waits for together: `left` of them are not done, where a put is done
 * when source may be reused, another operation when its result is there. All zero at first; it
 * stays until left is zero, and nobody trusts it while one is being started.
 */
struct tern_net_group {
    uint32_t left;
    uint32_t engine[3]; /* for the engine's own use */
} TERN_ALIGNED(8);

/* Operations since the engine was opened; a large transfer may be several. */
struct tern_net_counts {
    uint64_t writes, writes_done; /* puts, and whatever else changes memory, of one channel */
    uint64_t reads, reads_done;
    uint64_t served; /* for other PEs, by this processor: not what the network writes by itself */
};

/* The symmetric memory of this PE. A segment has the same length on all PEs. */
enum tern_net_segment { TERN_NET_HEAP, TERN_NET_STATIC, TERN_NET_SEGMENTS };

/*
 * A symmetric offset names an object on all PEs alike, though their segments may be mapped at
 * different addresses. It is the distance from the start of the segment; the top bit is set for
 * static data.
 */
#define TERN_NET_STATIC_BIT (UINT64_C(1) << 63)

static inline enum tern_net_segment tern_net_segment_of(uint64_t offset)
{
    return offset & TERN_NET_STATIC_BIT ? TERN_NET_STATIC : TERN_NET_HEAP;
}

static inline uint64_t tern_net_distance_of(uint64_t offset)
{
    return offset & ~TERN_NET_STATIC_BIT;
}

/*
 * What an engine knows of the PE, and whom it calls. An engine is a plug-in that needs no symbol of
 * the library: everything comes through here. The calls below come from any thread, also from the
 * engine's own, and while the engine holds locks: they must not call the engine, nor wait.
 */
struct tern_net_host {
    int pe, n_pes;
    const char *provider;  /* SHMEM_PROVIDER: the user's wish, or NULL */
    const char *interface; /* SHMEM_INTERFACE: an interface's name or address, or NULL */
    bool loopback;         /* all PEs are on this machine: no packet needs to leave it */
    /*
     * Seconds in which a peer that was never reached has to answer the first time; 0: as long as
     * the engine likes.
     */
    unsigned first_answer_s;
    struct {
        void *start;
        size_t bytes; /* 0: there is none */
    } segments[TERN_NET_SEGMENTS];

    /* Another PE's card, TERN_NET_CARD_BYTES that stay; from connect() on. */
    const void *(*card)(int pe);

    /* Something may have landed in this PE's symmetric memory: who waits for it looks again. */
    void (*landed)(void);

    /* A message has come; it is the receiver's for the time of the call. */
    void (*received)(int from, const void *message, size_t bytes);

    /*
     * That PE can't be reached any more, in words that fit after "PE 3 was lost: ". Operations to
     * it complete without effect from now on. Called once a PE.
     */
    void (*lost)(int pe, const char *why);

    /* See base/limit.h: ends the process, also while the engine holds locks; and explains. */
    void (*no_memory)(const char *routine, const char *what, size_t bytes) TERN_NORETURN;
    void (*explain)(enum tern_limit what, size_t bytes, char text[TERN_LIMIT_BYTES]);

    /* For the user: an error, or what the engine decides (SHMEM_DEBUG). Whole lines, no newline. */
    void (*error)(const char *text);
    void (*debug)(const char *text);
};

/*
 * One engine. PEs are numbered in the world and are on other nodes. Memory of another PE is given
 * as its symmetric offset; all of its bytes are inside the segment, which the caller has checked.
 * Local addresses are any memory. Every slot is filled. Calls come from any thread at once, but
 * open, connect and close; a channel that one thread uses at a time costs no contention.
 */
struct tern_net_ops {
    const char *name;

    /*
     * open chooses a provider and writes this PE's card; connect may read the others'. Neither
     * waits for another PE. 0, or -errno after host->error() was told the reasons: each provider
     * that was considered and why it was refused.
     */
    int (*open)(const struct tern_net_host *host, void *card);
    int (*connect)(void);

    /* At the end of the process, or after open has failed elsewhere; messages on their way go out.
     */
    void (*close)(void);

    /* "tcp;ofi_rxm over eth0": valid while open. */
    const char *(*describe)(void);

    /* Tells line by line what open would find here. Needs no open. */
    void (*survey)(const struct tern_net_host *host, void (*line)(void *arg, const char *text),
                   void *arg);

    /* Whether the PE can be reached at all: 0, or an error number. */
    int (*reaches)(int pe);

    /* A channel with resources of its own, or NULL when there are no more: the default one then. */
    struct tern_net_channel *(*channel_open)(void);

    /* The channel has been quieted. */
    void (*channel_close)(struct tern_net_channel *channel);

    /* put returns when source may be reused, put_nbi at once; quiet completes both. */
    void (*put)(struct tern_net_channel *channel, uint64_t dest, const void *source, size_t bytes,
                int pe);
    void (*put_nbi)(struct tern_net_channel *channel, uint64_t dest, const void *source,
                    size_t bytes, int pe);

    /* get returns with the data in dest, get_nbi at once; quiet completes it. */
    void (*get)(struct tern_net_channel *channel, void *dest, uint64_t source, size_t bytes,
                int pe);
    void (*get_nbi)(struct tern_net_channel *channel, void *dest, uint64_t source, size_t bytes,
                    int pe);

    /*
     * A put of n blocks of `bytes` each that are side by side in source and whose starts are dst
     * bytes apart in dest; TERN_NET_MESSAGE_BYTES of data at most. source may be reused at return.
     */
    void (*scatter)(struct tern_net_channel *channel, uint64_t dest, size_t dst, const void *source,
                    size_t bytes, size_t n, int pe);

    /*
     * A put, of no bytes perhaps, and TERN_NET_SET or TERN_NET_ADD on the 64-bit sig_addr, which is
     * seen only after the data. Not ordered with earlier operations. nbi as in put_nbi.
     */
    void (*put_signal)(struct tern_net_channel *channel, uint64_t dest, const void *source,
                       size_t bytes, uint64_t sig_addr, uint64_t signal, enum tern_net_op op,
                       bool nbi, int pe);

    /*
     * Atomic with respect to the processors of the target's node as well. `width` is 4 or 8. amo
     * returns when *fetch has the old value; with fetch NULL it returns at once and quiet completes
     * it. amo_nbi returns at once; quiet sets *fetch, which has `width` bytes.
     */
    void (*amo)(struct tern_net_channel *channel, enum tern_net_op op, unsigned width,
                uint64_t dest, uint64_t operand, uint64_t compare, uint64_t *fetch, int pe);
    void (*amo_nbi)(struct tern_net_channel *channel, enum tern_net_op op, unsigned width,
                    uint64_t dest, uint64_t operand, uint64_t compare, void *fetch, int pe);

    /* put_nbi, get_nbi and amo_nbi of a group; fetch may be NULL. quiet completes them as well. */
    void (*put_group)(struct tern_net_channel *channel, uint64_t dest, const void *source,
                      size_t bytes, struct tern_net_group *group, int pe);
    void (*get_group)(struct tern_net_channel *channel, void *dest, uint64_t source, size_t bytes,
                      struct tern_net_group *group, int pe);
    void (*amo_group)(struct tern_net_channel *channel, enum tern_net_op op, unsigned width,
                      uint64_t dest, uint64_t operand, uint64_t compare, void *fetch,
                      struct tern_net_group *group, int pe);

    /*
     * Of what was started on the channel: fence orders it for each target, quiet completes it, and
     * means that it is done, and visible, in the targets' memory.
     */
    void (*fence)(struct tern_net_channel *channel);
    void (*quiet)(struct tern_net_channel *channel);

    /* Whether a quiet would return at once. */
    bool (*is_quiet)(struct tern_net_channel *channel);

    void (*count)(struct tern_net_channel *channel, struct tern_net_counts *counts);

    /*
     * A message for the library itself, TERN_NET_MESSAGE_BYTES at most; copied, so that it may be
     * reused at once. Those from one PE to another arrive in order. It is not ordered with other
     * operations. Not from within received().
     */
    void (*send)(int pe, const void *message, size_t bytes);

    /*
     * Lets the network go on: for those who wait, again and again. While nobody calls it the engine
     * looks after itself. True if something has happened.
     */
    bool (*progress)(void);

    /*
     * Who has called progress() goes to sleep now. Needless where it just stops calling: the engine
     * notices, but later.
     */
    void (*rest)(void);
};

/* The engine in use. With one node it is tern_net_none, which reaches nobody. */
extern TERN_PE_LOCAL const struct tern_net_ops *tern_net;

extern const struct tern_net_ops tern_net_none;

/* In a plug-in: its only symbol, of type const struct tern_net_ops *. The version goes with it. */
#define TERN_NET_ENGINE_SYMBOL "tern_net_engine_4"

/*
 * Loads the engine that was installed with the library of that path. 0, or -errno with the problem
 * in words: -EPROTO if it is of another version.
 */
int tern_net_load(const char *library, const struct tern_net_ops **engine, char *problem,
                  size_t bytes);

/*
 * Loads the engine for a job of several nodes and opens it: 0, or -errno after the reasons were
 * printed. The engine stays open until the process ends.
 */
int tern_net_open(const struct tern_net_host *host, void *card);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* The network: what the library needs from an engine that reaches PEs on other nodes. */
#ifndef TERN_NET_NET_H
#define TERN_NET_NET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/compiler.h"
#include "base/limit.h"

/* Atomic operations of the network: on words of 4 or 8 bytes, without a type. */
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
 * A stream of operations with an order and a completion of its own, as a context needs. NULL stands
 * for the default channel, which always exists.
 */
struct tern_net_channel;

/* The address card, which an engine writes and other PEs need to reach this one. */
#define TERN_NET_CARD_BYTES 192

/* The length of the longest message. */
#define TERN_NET_MESSAGE_BYTES 8192

/* The length of the longest frame of gathered operations, and of the longest answer. */
#define TERN_NET_FRAME_BYTES 32768

/*
 * Operations that a caller waits for together: `left` of them are not complete. A put is complete
 * when source may be reused, another operation when its result has arrived. A group is all zero at
 * first, and must exist until left is zero; left has no meaning while an operation is being
 * started.
 */
struct tern_net_group {
    uint32_t left;
    uint32_t engine[3]; /* for the engine's own use */
} TERN_ALIGNED(8);

/* Operations since the engine was opened; a large transfer may be several. */
struct tern_net_counts {
    uint64_t writes, writes_done; /* puts and other operations that change memory, of one channel */
    uint64_t reads, reads_done;
    uint64_t served; /* operations of other PEs that this processor carried out */
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
 * What an engine needs from the library: data of the PE, and functions to call. An engine is a
 * plug-in that uses no symbol of the library. It calls these functions from any thread, including
 * its own, and while it holds locks; they must not call the engine, nor wait.
 */
struct tern_net_host {
    int pe, n_pes;
    const char *provider;  /* SHMEM_PROVIDER, or NULL */
    const char *interface; /* SHMEM_INTERFACE: an interface's name or address, or NULL */
    bool loopback;         /* all PEs are on this machine, so the loopback interface is enough */
    /*
     * Seconds in which a peer has to answer the first time; 0: the engine's default.
     */
    unsigned first_answer_s;
    struct {
        void *start;
        size_t bytes; /* 0: there is none */
    } segments[TERN_NET_SEGMENTS];

    /* Another PE's card of TERN_NET_CARD_BYTES, which stays valid; call from connect() on. */
    const void *(*card)(int pe);

    /* Symmetric memory of this PE may have changed: wakes its waiters. */
    void (*landed)(void);

    /* A message has arrived; it is valid during the call. */
    void (*received)(int from, const void *message, size_t bytes);

    /*
     * Carries out a frame of gathered operations on PEs of this node, one at a time, in the order
     * of arrival. frame and answer are aligned to 8 bytes. The answer has room for
     * TERN_NET_FRAME_BYTES; returns its length.
     */
    size_t (*carry_out)(const void *frame, size_t bytes, void *answer);

    /* The answer to the oldest frame for that PE which has none. It is valid during the call. */
    void (*answered)(int from, const void *answer, size_t bytes);

    /*
     * Called by the engine's thread after each event, and each millisecond while it leaves the
     * network to the PE. It holds no lock, so this function may send frames. True: call it again in
     * a millisecond at most.
     */
    bool (*attend)(void);

    /*
     * Reports that a PE can't be reached any more; why fits after "PE 3 was lost: ". From now on
     * operations on it complete without effect. Called once for each PE, and for this PE if a
     * message to it is lost.
     */
    void (*lost)(int pe, const char *why);

    /*
     * Called at the end of each wait of a thread of the program, without locks, once a PE was lost:
     * what was waited for may not be there. Returns if the program may go on without that PE.
     */
    void (*stay)(void);

    /* As in base/limit.h. no_memory ends the process, also while the engine holds locks. */
    void (*no_memory)(const char *routine, const char *what, size_t bytes) TERN_NORETURN;
    void (*explain)(enum tern_limit what, size_t bytes, char text[TERN_LIMIT_BYTES]);

    /* Print a line for the user: an error, or a decision (SHMEM_DEBUG). text has no newline. */
    void (*error)(const char *text);
    void (*debug)(const char *text);
};

/*
 * One engine. PEs are numbered in the world and are on other nodes. Memory of another PE is given
 * as its symmetric offset; all of its bytes are inside the segment, which the caller has checked.
 * Local addresses are any memory. Every slot is filled. Calls come from any threads at the same
 * time, except open, connect and close; threads with channels of their own don't contend.
 */
struct tern_net_ops {
    const char *name;

    /*
     * open chooses a provider and writes this PE's card; connect may read the others'. Neither
     * waits for another PE. 0, or -errno after a call of host->error() with each provider that was
     * considered and why it was refused.
     */
    int (*open)(const struct tern_net_host *host, void *card);
    int (*connect)(void);

    /* At the end of the process, or after open failed on another PE; sends queued messages. */
    void (*close)(void);

    /* "tcp;ofi_rxm over eth0": valid while open. */
    const char *(*describe)(void);

    /* Describes line by line what open would find. Needs no open. */
    void (*survey)(const struct tern_net_host *host, void (*line)(void *arg, const char *text),
                   void *arg);

    /* 0 if the PE can be reached, as far as known; otherwise an error number. */
    int (*reaches)(int pe);

    /* A channel with resources of its own; NULL, the default channel, if there are no more. */
    struct tern_net_channel *(*channel_open)(void);

    /* The caller has quieted the channel. */
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
     * A put of n blocks of `bytes` each, which are adjacent in source; their starts are dst bytes
     * apart in dest. TERN_NET_MESSAGE_BYTES of data at most. source may be reused at return.
     */
    void (*scatter)(struct tern_net_channel *channel, uint64_t dest, size_t dst, const void *source,
                    size_t bytes, size_t n, int pe);

    /*
     * A put of `bytes`, which may be 0, and TERN_NET_SET or TERN_NET_ADD on the 64-bit word at
     * sig_addr, which is visible only after the data. Not ordered with earlier operations. nbi as
     * in put_nbi.
     */
    void (*put_signal)(struct tern_net_channel *channel, uint64_t dest, const void *source,
                       size_t bytes, uint64_t sig_addr, uint64_t signal, enum tern_net_op op,
                       bool nbi, int pe);

    /*
     * Atomic with respect to the processors of the target's node as well. `width` is 4 or 8. update
     * has no result, so its op is neither a fetch nor a compare-and-swap; it returns at once and
     * quiet completes it. amo returns when *fetch has the old value. amo_nbi returns at once; quiet
     * sets *fetch, which has `width` bytes.
     */
    void (*update)(struct tern_net_channel *channel, enum tern_net_op op, unsigned width,
                   uint64_t dest, uint64_t operand, int pe);
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
     * fence orders the operations that were started on the channel, for each target. quiet
     * completes them: they are done, and visible, in the targets' memory.
     */
    void (*fence)(struct tern_net_channel *channel);
    void (*quiet)(struct tern_net_channel *channel);

    /* Whether a quiet would return at once. */
    bool (*is_quiet)(struct tern_net_channel *channel);

    void (*count)(struct tern_net_channel *channel, struct tern_net_counts *counts);

    /*
     * A hint, on or off: the latency of the channel's operations does not matter, of which so many
     * will follow; SIZE_MAX: unknown. Order and completion are as without.
     */
    void (*session)(struct tern_net_channel *channel, bool on, size_t operations);

    /*
     * Sends a message for the library itself, TERN_NET_MESSAGE_BYTES at most; the buffer may be
     * reused at return. Messages from one PE to another arrive in order, but are not ordered with
     * other operations. Must not be called from received().
     */
    void (*send)(int pe, const void *message, size_t bytes);

    /*
     * Sends a frame of gathered operations, TERN_NET_FRAME_BYTES at most, which the PE's
     * carry_out() carries out; the answer comes to answered(). The buffer may be reused at return.
     * Frames to one PE are carried out in the order in which they were started.
     */
    void (*frame)(int pe, const void *frame, size_t bytes);

    /*
     * Waits for something that only answers bring: those of that PE, or of any PE if pe is -1.
     * done() is called without locks.
     */
    void (*await)(int pe, bool (*done)(const void *arg), const void *arg);

    /*
     * Polls the network; waiting threads call it repeatedly. While none does, the engine progresses
     * by itself. True if something has happened.
     */
    bool (*progress)(void);

    /*
     * The thread that has called progress() goes to sleep now. The call is optional: without it the
     * engine notices later.
     */
    void (*rest)(void);
};

/* The engine in use. With one node it is tern_net_none, which reaches no PE. */
extern TERN_PE_LOCAL const struct tern_net_ops *tern_net;

extern const struct tern_net_ops tern_net_none;

/* A plug-in's only symbol, of type const struct tern_net_ops *; its number is this version. */
#define TERN_NET_ENGINE_SYMBOL "tern_net_engine_7"

#endif

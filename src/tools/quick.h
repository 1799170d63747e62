/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Calls that a wrapper may make directly, bypassing the tool. They are, on the default context or
 * without one,
 * - puts and gets, blocking or not, without strides or a signal, between known symmetric memory and
 *   private memory;
 * - atomic operations, except nonblocking ones, on known symmetric memory;
 * - fences and quiets, and queries without arguments.
 * The first call of each routine always goes to the tool. A tool whose tern_tool_call() always
 * returns false sees every call. A tool that has to know of the calls nevertheless sets functions
 * in tern_quick.
 */
#ifndef TERN_TOOLS_QUICK_H
#define TERN_TOOLS_QUICK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Whether a thread's next call goes to the tool. */
enum tern_thread_state {
    TERN_OUTSIDE, /* the next call is the program's, and goes to the tool */
    TERN_QUICK,   /* the same, but the calls listed above bypass the tool */
    TERN_INSIDE,  /* in the library or the tool: calls are not the program's */
};
extern __thread unsigned char tern_thread_state __attribute__((tls_model("initial-exec")));

/*
 * How many calls of this thread, of the kinds above, bypass the tool from now on, whatever their
 * arguments. Each of them lowers it; queries do not.
 */
extern __thread unsigned tern_quick_left __attribute__((tls_model("initial-exec")));

struct tern_routine;

struct tern_span {
    uintptr_t start;
    size_t size;
};

/* The conditions for bypassing, which the tool sets and threads in state TERN_QUICK check. */
struct tern_quick {
    int n_pes;                      /* of the world */
    struct tern_span known;         /* symmetric memory that calls may access; may be empty */
    struct tern_span heap, program; /* calls with local arguments in these go to the tool */
    /*
     * Before a transfer or atomic operation of so many bytes of symmetric memory of a PE, and
     * before a fence or quiet: whether it may bypass the tool. leave: after an atomic operation
     * with a result. Each may be NULL.
     */
    bool (*enter)(const struct tern_routine *routine, const void *symmetric, size_t bytes, int pe,
                  const void *site);
    void (*leave)(const void *symmetric, size_t bytes, int pe);
    bool (*order)(bool is_quiet);
    /* Whether a transfer may access so many bytes of private memory without the tool; or NULL. */
    bool (*local)(uintptr_t start, size_t bytes);
};
extern struct tern_quick tern_quick;

static inline bool tern_span_has(const struct tern_span *span, uintptr_t address)
{
    return address - span->start < span->size;
}

/* Whether the span contains `bytes` bytes from the address on. */
static inline bool tern_span_holds(const struct tern_span *span, uintptr_t address, size_t bytes)
{
    return tern_span_has(span, address) && bytes <= span->size - (address - span->start);
}

/* Whether n elements are aligned and in the known symmetric memory. */
static inline bool tern_quick_knows(const void *symmetric, size_t n, size_t element,
                                    size_t alignment)
{
    uintptr_t address = (uintptr_t)symmetric;

    return n <= tern_quick.known.size && /* so the product below does not overflow */
           tern_span_holds(&tern_quick.known, address, n * element) &&
           (address & (alignment - 1)) == 0;
}

/* Whether this thread may access them at a PE of the world without the tool. */
static inline bool tern_quick_reaches(const void *symmetric, size_t n, size_t element,
                                      size_t alignment, int pe)
{
    return tern_thread_state == TERN_QUICK && (unsigned)pe < (unsigned)tern_quick.n_pes &&
           tern_quick_knows(symmetric, n, element, alignment);
}

/* Tells a tool that has to know of the call. Whether the call may bypass the tool nevertheless. */
static inline bool tern_quick_enters(const struct tern_routine *routine, const void *symmetric,
                                     size_t bytes, int pe, const void *site)
{
    return !tern_quick.enter || tern_quick.enter(routine, symmetric, bytes, pe, site);
}

static inline void tern_quick_leaves(const void *symmetric, size_t bytes, int pe)
{
    if (tern_quick.leave)
        tern_quick.leave(symmetric, bytes, pe);
}

/* Whether a fence or quiet of this thread may bypass the tool. */
static inline bool tern_quick_orders(bool is_quiet)
{
    return tern_thread_state == TERN_QUICK && (!tern_quick.order || tern_quick.order(is_quiet));
}

/* Whether the local side of a transfer is aligned private memory, and the tool accepts it. */
static inline bool tern_quick_is_private(const void *local, size_t bytes, size_t alignment)
{
    uintptr_t address = (uintptr_t)local;

    return address && (address & (alignment - 1)) == 0 &&
           !tern_span_has(&tern_quick.heap, address) &&
           !tern_span_has(&tern_quick.program, address) &&
           (!tern_quick.local || tern_quick.local(address, bytes));
}

#endif

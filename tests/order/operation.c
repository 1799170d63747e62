/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes a message by any of the operations that fence and quiet order. */
#include "order/operation.h"

/* Nobody looks at it: the messages themselves are the test. */
static uint64_t unused_signal;

const char *operation_name(enum operation operation)
{
    static const char *const names[] = {
        "put",
        "p",
        "iput",
        "put_nbi",
        "atomic_set",
        "atomic_add",
        "store through shmem_ptr",
        "put_signal",
        "put_signal_nbi",
        "atomic_fetch_add_nbi",
        "signal_set",
    };

    return names[operation];
}

struct message operation_message(int pe, int round)
{
    struct message message;

    for (size_t i = 0; i < MESSAGE; i++)
        message.words[i] = ORACLE(long, pe, (size_t)round *MESSAGE + i, SALT_SENT);
    return message;
}

static void store(const struct route *route, struct message *dest, const struct message *source,
                  int peer)
{
    struct message *theirs = shmem_ptr(dest, peer);

    if (theirs) {
        *theirs = *source;
        return;
    }
    shmem_ctx_long_put(route->ctx, dest->words, source->words, MESSAGE, route_pe(route, peer));
}

void operation_start(enum operation operation, const struct route *route, struct message *dest,
                     const struct message *source, struct message *fetched, int peer)
{
    shmem_ctx_t ctx = route->ctx;
    int pe = route_pe(route, peer);
    long *to = dest->words;
    const long *from = source->words;

    switch (operation) {
    case OP_P:
        for (int i = 0; i < MESSAGE; i++)
            shmem_ctx_long_p(ctx, &to[i], from[i], pe);
        break;
    case OP_IPUT:
        shmem_ctx_long_iput(ctx, to, from, 2, 2, MESSAGE / 2, pe);
        shmem_ctx_long_iput(ctx, to + 1, from + 1, 2, 2, MESSAGE / 2, pe);
        break;
    case OP_PUT_NBI:
        shmem_ctx_long_put_nbi(ctx, to, from, MESSAGE, pe);
        break;
    case OP_ATOMIC_SET:
        for (int i = 0; i < MESSAGE; i++)
            shmem_ctx_long_atomic_set(ctx, &to[i], from[i], pe);
        break;
    case OP_ATOMIC_ADD:
        for (int i = 0; i < MESSAGE; i++)
            shmem_ctx_long_atomic_add(ctx, &to[i], from[i], pe);
        break;
    case OP_STORE_THROUGH_PTR:
        store(route, dest, source, peer);
        break;
#if SHMEM_AT_LEAST(1, 5)
    case OP_PUT_SIGNAL:
        shmem_ctx_long_put_signal(ctx, to, from, MESSAGE, &unused_signal, 1, SHMEM_SIGNAL_ADD, pe);
        break;
    case OP_PUT_SIGNAL_NBI:
        shmem_ctx_long_put_signal_nbi(ctx, to, from, MESSAGE, &unused_signal, 1, SHMEM_SIGNAL_ADD,
                                      pe);
        break;
    case OP_FETCH_ADD_NBI:
        for (int i = 0; i < MESSAGE; i++)
            shmem_ctx_long_atomic_fetch_add_nbi(ctx, &fetched->words[i], &to[i], from[i], pe);
        break;
#endif
#if SHMEM_AT_LEAST(1, 6)
    case OP_SIGNAL_SET:
        for (int i = 0; i < MESSAGE; i++)
            shmem_ctx_signal_set(ctx, (uint64_t *)&to[i], (uint64_t)from[i], pe);
        break;
#endif
    default:
        shmem_ctx_long_put(ctx, to, from, MESSAGE, pe);
    }
}

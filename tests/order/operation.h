/* SPDX-License-Identifier: BSD-3-Clause */
/* The kinds of operations that fence and quiet order and complete, as one interchangeable set. */
#ifndef ORDER_OPERATION_H
#define ORDER_OPERATION_H

#include "harness/board.h"

/* A message is what one operation writes: a few words in memory of its own. */
enum { MESSAGE = 4 };

struct message {
    long words[MESSAGE];
};

enum operation {
    OP_PUT,
    OP_P,
    OP_IPUT,
    OP_PUT_NBI,
    OP_ATOMIC_SET,
    OP_ATOMIC_ADD,
    OP_STORE_THROUGH_PTR,
    OP_PUT_SIGNAL,
    OP_PUT_SIGNAL_NBI,
    OP_FETCH_ADD_NBI,
    OP_SIGNAL_SET,
    N_OPERATIONS,
};

const char *operation_name(enum operation operation);

/*
 * Starts to write *source into *dest at the PE `peer` of the world; dest was zero. fetched is for
 * what nonblocking AMOs fetch. Source and fetched stay in use until the route is quiet. Where the
 * library lacks the operation, a put does.
 */
void operation_start(enum operation operation, const struct route *route, struct message *dest,
                     const struct message *source, struct message *fetched, int peer);

/* What the PE sends in round `round`. */
struct message operation_message(int pe, int round);

#endif

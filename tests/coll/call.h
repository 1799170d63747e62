/* SPDX-License-Identifier: BSD-3-Clause */
/* The arguments and the expected results of the collectives under test. */
#ifndef COLL_CALL_H
#define COLL_CALL_H

#include "harness/check.h"
#include "team/shapes.h"

/* Elements behind a result that must stay as they were. */
#define GUARD 5

/* The value of an element of dest that nobody has written. */
#define UNTOUCHED(type, i) ORACLE(type, -1, i, 0)

struct call {
    const struct shape *shape;
    unsigned salt; /* another value in each call on the team, the same on all members */
    void *source, *dest;
    void *expected;                    /* in private memory */
    size_t capacity;                   /* bytes of each of the three */
    size_t n_checked;                  /* elements of dest with an expected value */
    size_t source_offset, dest_offset; /* bytes; makes the mem forms unaligned */
};

/* Collective over all PEs. Each of source and dest lies on the heap and in static memory in turn.
 */
void call_open(struct call *call, size_t heap_bytes);
void call_close(struct call *call);

/* Turns to shape number `index`; false if the caller is no member of it. */
bool call_shape(struct call *call, const struct shape *shape, int index);

/*
 * Turns to the next call on the team: another salt, another pair of buffers of at least nbytes.
 * The members of a team go through it in step, without communication.
 */
void call_next(struct call *call, size_t nbytes);

/* As call_next, with source and dest the same. */
void call_next_in_place(struct call *call, size_t nbytes);

/* Few elements and more by turns: small ones travel another way. */
int call_elements(int turn);

/*
 * A program that has `test` make calls of every type on teams of every form. The first call on a
 * team is number `turn`; capacity is that of the largest type.
 */
int call_types(const char *program, void (*test)(struct call *call, int turn));

#endif

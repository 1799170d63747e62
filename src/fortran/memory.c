/* SPDX-License-Identifier: BSD-3-Clause */
/* SHPALLOC and related routines: the symmetric heap in words of 32 bits, with error codes. */
#include <shmem.h>
#include <shmemx.h>
#include <stdint.h>

#include "fortran/fortran.h"

#define WORD ((size_t)4)

enum code {
    DONE = 0,
    MOVED = 1,
    NO_LENGTH = -1,
    NO_MEMORY = -2,
    OUTSIDE = -3,
    FREE = -4,
    INNER = -5
};

static const char *meaning(enum code code)
{
    switch (code) {
    case NO_LENGTH:
        return "length is not positive";
    case NO_MEMORY:
        return "there is not enough memory: set SHMEM_SYMMETRIC_SIZE to more than it is";
    case OUTSIDE:
        return "addr is not in the symmetric heap";
    case FREE:
        return "addr is not in a block: it has been freed already";
    case INNER:
        return "addr is inside of a block: only the block's start can be passed";
    default:
        return "done";
    }
}

/* Stores an error code, or ends the program, as the caller has chosen. */
static void report(enum code code, int *errcode, const int *abort, const char *routine)
{
    if (code < 0 && *abort)
        tern_client_fatal(routine, "error %d: %s", code, meaning(code));
    *errcode = code;
}

/* Checks a block that is to be freed or moved: DONE if a block starts at addr. */
static enum code look_up(void *addr)
{
    void *start;

    switch (shmemx_heap_find(addr, &start)) {
    case SHMEMX_HEAP_BLOCK:
        return start == addr ? DONE : INNER;
    case SHMEMX_HEAP_FREE:
        return FREE;
    default:
        return OUTSIDE;
    }
}

TERN_FORTRAN(void, shpalloc, SHPALLOC)
(void **addr, const int *length, int *errcode, const int *abort)
{
    enum code code = *length < 1 ? NO_LENGTH : DONE;
    void *block = code == DONE ? shmem_malloc((size_t)*length * WORD) : NULL;

    if (block)
        *addr = block;
    else if (code == DONE)
        code = NO_MEMORY;
    report(code, errcode, abort, "shpalloc");
}

TERN_FORTRAN(void, shpclmove, SHPCLMOVE)
(void **addr, const int *length, int *status, const int *abort)
{
    enum code code = *length < 1 ? NO_LENGTH : look_up(*addr);

    if (code == DONE) {
        void *block = shmem_realloc(*addr, (size_t)*length * WORD);

        code = !block ? NO_MEMORY : block == *addr ? DONE : MOVED;
        if (block)
            *addr = block;
    }
    report(code, status, abort, "shpclmove");
}

TERN_FORTRAN(void, shpdeallc, SHPDEALLC)(void **addr, int *errcode, const int *abort)
{
    enum code code = look_up(*addr);

    if (code == DONE)
        shmem_free(*addr);
    report(code, errcode, abort, "shpdeallc");
}

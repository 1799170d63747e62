/* SPDX-License-Identifier: BSD-3-Clause */
/* Buffers for collectives under test: heap and static memory in turn. */
#include "coll/call.h"

#include <stdlib.h>

#define STATIC_BYTES 65536
#define MAX_OFFSET 16

static _Alignas(64) unsigned char static_source[STATIC_BYTES], static_dest[STATIC_BYTES];
static unsigned char *heap_source, *heap_dest;

void call_open(struct call *call, size_t heap_bytes)
{
    heap_source = shmem_malloc(heap_bytes + MAX_OFFSET);
    heap_dest = shmem_malloc(heap_bytes + MAX_OFFSET);
    call->source_offset = call->dest_offset = 0;
    call->expected = malloc(heap_bytes);
    call->capacity = heap_bytes;
    check(heap_source && heap_dest && call->expected, "buffers", "no %zu bytes", heap_bytes);
}

void call_close(struct call *call)
{
    shmem_free(heap_dest);
    shmem_free(heap_source);
    free(call->expected);
}

bool call_shape(struct call *call, const struct shape *shape, int index)
{
    call->shape = shape;
    call->salt = (unsigned)(index + 1) << 12;
    return shape->my_pe >= 0;
}

void call_next(struct call *call, size_t nbytes)
{
    bool fits = nbytes + MAX_OFFSET <= STATIC_BYTES;

    call->salt++;
    call->source = (fits && call->salt & 1 ? static_source : heap_source) + call->source_offset;
    call->dest = (fits && call->salt & 2 ? static_dest : heap_dest) + call->dest_offset;
    check(nbytes <= call->capacity, "buffers", "%zu bytes wanted of %zu", nbytes, call->capacity);
}

void call_next_in_place(struct call *call, size_t nbytes)
{
    call_next(call, nbytes);
    call->source = call->dest;
}

#define FEW 3
#define MORE 33

int call_elements(int turn)
{
    return turn % 2 ? MORE : FEW;
}

int call_types(const char *program, void (*test)(struct call *call, int turn))
{
    struct shape shapes[MAX_SHAPES];
    struct call call;
    int n_shapes;

    check_init(program);
    n_shapes = shapes_open(shapes);
    call_open(&call, (MORE + GUARD) * sizeof(long double));
    for (int s = 0; s < n_shapes; s++)
        if (call_shape(&call, &shapes[s], s))
            test(&call, s);
    call_close(&call);
    shapes_close(shapes, n_shapes);
    return check_finish();
}

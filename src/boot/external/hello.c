/* SPDX-License-Identifier: BSD-3-Clause */
/* The text of a PE's hello record, and what has to be equal in the records of all PEs. */
#include "boot/external/hello.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void tern_hello_write(const struct tern_hello *v, char text[TERN_HELLO_BYTES])
{
    snprintf(text, TERN_HELLO_BYTES,
             "%d,%.31s,%" PRIx64 ",%" PRIx64 ",%" PRIx64 ",%" PRIx64 ",%" PRIx64 ",%d,%d",
             v->protocol, v->version, v->place.machine, v->system, v->nonce, v->heap, v->memory,
             v->place.split.parts, v->place.split.cyclic);
}

int tern_hello_read(const char *text, struct tern_hello *v)
{
    int parts, cyclic, end = 0;

    *v = (struct tern_hello){0};
    if (sscanf(text, "%d,%31[^,]%n", &v->protocol, v->version, &end) != 2)
        return -EPROTO;
    if (v->protocol != TERN_HELLO_PROTOCOL)
        return 0;
    text += end;
    end = 0;
    if (sscanf(text, ",%" SCNx64 ",%" SCNx64 ",%" SCNx64 ",%" SCNx64 ",%" SCNx64 ",%d,%d%n",
               &v->place.machine, &v->system, &v->nonce, &v->heap, &v->memory, &parts, &cyclic,
               &end) != 7 ||
        text[end])
        return -EPROTO;
    v->place.split = (struct tern_nodes_split){parts, cyclic != 0};
    return 0;
}

int tern_hello_compare(const struct tern_hello *hellos, int n, int me, char *text,
                       size_t text_bytes)
{
    const struct tern_hello *mine = &hellos[me];

    for (int pe = 0; pe < n; pe++) {
        const struct tern_hello *v = &hellos[pe];

        if (v->protocol != mine->protocol || strcmp(v->version, mine->version) != 0) {
            snprintf(text, text_bytes,
                     "PE %d has Tern %s but PE %d has Tern %s: install the same version on all "
                     "hosts",
                     me, mine->version, pe, v->version);
            return -EPROTO;
        }
        if (v->heap != mine->heap) {
            snprintf(text, text_bytes,
                     "a symmetric heap of %" PRIu64 " bytes on PE %d but of %" PRIu64
                     " bytes on PE %d (0: by default): give all PEs the same SHMEM_SYMMETRIC_SIZE",
                     mine->heap, me, v->heap, pe);
            return -EINVAL;
        }
    }
    return 0;
}

int *tern_hello_firsts(const struct tern_hello *hellos, int n)
{
    int *firsts = malloc((size_t)n * sizeof *firsts);

    for (int pe = 0; firsts && pe < n; pe++) {
        int near = pe ? firsts[pe - 1] : 0; /* mostly */

        if (!tern_hello_are_near(hellos, near, pe))
            for (near = 0; !tern_hello_are_near(hellos, near, pe);)
                near++;
        firsts[pe] = near;
    }
    return firsts;
}

/* A machine, and what it has for the heaps of all its PEs, by one of them. */
struct offer {
    uint64_t machine, memory;
};

static int by_machine_and_memory(const void *a, const void *b)
{
    const struct offer *x = a, *y = b;

    if (x->machine != y->machine)
        return x->machine < y->machine ? -1 : 1;
    return x->memory < y->memory ? -1 : x->memory > y->memory;
}

uint64_t tern_hello_share(const struct tern_hello *hellos, int n)
{
    struct offer *offers = malloc((size_t)n * sizeof *offers);
    uint64_t least = UINT64_MAX;

    if (!offers)
        return 0;
    for (int pe = 0; pe < n; pe++)
        offers[pe] = (struct offer){hellos[pe].place.machine, hellos[pe].memory};
    qsort(offers, (size_t)n, sizeof *offers, by_machine_and_memory);
    for (int i = 0, end; i < n; i = end) {
        uint64_t share;

        for (end = i; end < n && offers[end].machine == offers[i].machine; end++)
            ;
        share = offers[i].memory / (unsigned)(end - i);
        least = share < least ? share : least;
    }
    free(offers);
    return least;
}

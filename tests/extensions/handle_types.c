/* SPDX-License-Identifier: BSD-3-Clause */
/* The non-blocking operations with handles of every type and size, under both of their names. */
#include "harness/check.h"
#include "harness/oracle.h"
#include "harness/types.h"

#include <shmemx.h>
#include <string.h>

enum { NELEMS = 70 };

#define X_ROUTINE(verb) HARNESS_JOIN3(shmemx_, NAME, _##verb)

#define TEMPLATE "extensions/handle_types.inc"
#include "harness/each_rma_type.inc"

#define NAME complexd
#define TYPE double _Complex
#include TEMPLATE
#undef NAME
#undef TYPE

#define NAME complexf
#define TYPE float _Complex
#include TEMPLATE
#undef NAME
#undef TYPE

typedef void (*nb_fn)(void *, const void *, size_t, int, void **);

#define SIZED(name, bytes)                                                                         \
    {                                                                                              \
#name, bytes, {shmem_put##name##_nb, shmemx_put##name##_nb },                              \
        {                                                                                          \
            shmem_get##name##_nb, shmemx_get##name##_nb                                            \
        }                                                                                          \
    }

static const struct sized {
    const char *name;
    size_t bytes;
    nb_fn put[2], get[2];
} sizes[] = {
    SIZED(8, 1),
    SIZED(16, 2),
    SIZED(32, 4),
    SIZED(64, 8),
    SIZED(128, 16),
    SIZED(mem, 1),
    {"", 8, {shmem_put_nb, shmemx_put_nb}, {shmem_get_nb, shmemx_get_nb}},
};

static _Alignas(16) unsigned char dest[16 * (NELEMS + 1)], source[16 * NELEMS];

static void check_bytes(const unsigned char *got, size_t nbytes, int pe, const char *name)
{
    static unsigned char expected[sizeof source];
    size_t i = 0;

    oracle_fill_bytes(expected, nbytes, pe, 1);
    while (i < nbytes && got[i] == expected[i])
        i++;
    check(i == nbytes, name, "byte %zu of %zu differs", i, nbytes);
    check_equal(got[nbytes], 0xaa, name);
}

static void check_size(const struct sized *size, int form)
{
    int me = check_pe(), n = check_n_pes(), next = (me + 1) % n, previous = (me + n - 1) % n;
    void *handle = NULL;

    check_case("%s, form %d", size->name, form);
    oracle_fill_bytes(source, sizeof source, me, 1);
    memset(dest, 0xaa, sizeof dest);
    shmem_barrier_all();
    size->put[form](dest, source, NELEMS, next, &handle);
    shmem_wait_nb(handle);
    shmem_barrier_all();
    check_bytes(dest, NELEMS * size->bytes, previous, "nb-sized-put");
    memset(dest, 0xaa, sizeof dest);
    size->get[form](dest, source, NELEMS, next, &handle);
    shmem_wait_nb(handle);
    check_bytes(dest, NELEMS * size->bytes, next, "nb-sized-get");
    shmem_barrier_all();
}

int main(void)
{
    check_init("extensions/handle_types");
#define X(name, type) check_all_##name();
    SUM_REDUCE_TYPES(X) /* those of remote memory access, and complex ones */
#undef X
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        for (int form = 0; form < 2; form++)
            check_size(&sizes[i], form);
    return check_finish();
}

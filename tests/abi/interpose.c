/* SPDX-License-Identifier: BSD-3-Clause */
/* A program and a library linked with it replace routines; the OpenSHMEM library still works. */
#include <pshmem.h>

#include "abi/tool.h"
#include "harness/check.h"

static int long_puts, finalizes;

void shmem_long_put(long *dest, const long *source, size_t nelems, int pe)
{
    long_puts++;
    pshmem_long_put(dest, source, nelems, pe);
}

void shmem_finalize(void)
{
    finalizes++;
    pshmem_finalize();
}

static long a_long;
static int an_int;

static void put_to_next(int me, int n)
{
    long long_value = 1000 + me;
    int int_value = 2000 + me, from = (me + n - 1) % n;

    shmem_long_put(&a_long, &long_value, 1, (me + 1) % n);
    shmem_int_put(&an_int, &int_value, 1, (me + 1) % n);
    shmem_barrier_all();
    check(a_long == 1000 + from, "pshmem-in-wrapper", "a long is %ld", a_long);
    check(an_int == 2000 + from, "pshmem-in-wrapper", "an int is %d", an_int);
    check(long_puts == 1, "program-replaces-routine", "%d calls counted", long_puts);
    check(tool_puts == 1, "library-replaces-routine", "%d calls counted", tool_puts);
}

static void put_by_generic(int me)
{
#if __STDC_VERSION__ >= 201112L
    long long_value = 0;
    int int_value = 0;

    shmem_put(&a_long, &long_value, 1, me);
    shmem_put(&an_int, &int_value, 1, me);
    check(long_puts == 2 && tool_puts == 2, "generics-call-replaced-routine",
          "%d and %d calls counted", long_puts, tool_puts);
#endif
}

static void work_inside_the_library(void)
{
    int before = tool_barriers;
    void *block = shmem_malloc(100);

    shmem_free(block);
    shmem_sync_all();
    pshmem_barrier_all();
    check(tool_barriers == before, "library-calls-no-public-routine", "%d calls counted",
          tool_barriers - before);
}

int main(void)
{
    check_init("abi/interpose");
    put_to_next(shmem_my_pe(), shmem_n_pes());
    put_by_generic(shmem_my_pe());
    work_inside_the_library();
    shmem_init();
    shmem_finalize();
    check(finalizes == 1, "program-replaces-routine", "%d calls counted", finalizes);
    return check_finish();
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Static data of every kind is symmetric, for every kind of linking; the last line is "statics:
 * fine".
 */
#include <shmem.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "system/objects.h"

#define MIB (1 << 20)

long common_or_zeroed;
int filled = 5;
short between = 6; /* so that what follows is not aligned to more than it needs */
static long long zeroed;
static char large[200 * MIB];
static int filled_large[MIB] = {[0] = 1, [MIB / 2] = 2, [MIB - 1] = 3};
static _Alignas(4096) char page[4096];
static _Alignas(65536) struct {
    double x[3];
    void *address_of_another;
} record = {{1, 2, 3}, &filled};

static int *local_to_a_function(void)
{
    static int kept = 7;

    return &kept;
}

static const char constant[] = "constant";
static void *const relocated[] = {&filled, page};
static _Thread_local int of_a_thread;

static long lock, guarded;
static uint64_t arrived;

/* What the linker and the loader have put there is still there. */
static void check_content(void)
{
    require(filled == 5 && between == 6 && zeroed == 0 && common_or_zeroed == 0, "scalars");
    require(filled_large[0] == 1 && filled_large[MIB / 2] == 2 && filled_large[MIB - 1] == 3 &&
                filled_large[77] == 0,
            "a large initialized array");
    require(large[0] == 0 && large[sizeof large - 1] == 0, "a large array of zeros");
    require(record.x[2] == 3 && record.address_of_another == &filled, "a relocated pointer");
    require(*local_to_a_function() == 7, "a function's static variable");
    require((uintptr_t)page % 4096 == 0 && (uintptr_t)&record % 65536 == 0, "alignment");
}

static void check_what_is_not_symmetric(void)
{
    int on_stack = 0;
    int *allocated = malloc(sizeof *allocated);

    require(!shmem_addr_accessible(&on_stack, 0), "the stack");
    require(!shmem_addr_accessible(allocated, 0), "malloc");
    require(!shmem_addr_accessible(constant, 0), "a constant");
    require(!shmem_addr_accessible(&of_a_thread, 0), "a thread's variable");
#ifndef WITHOUT_RELRO
    require(!shmem_addr_accessible(relocated, 0), "what is constant after relocation");
#endif
    require(relocated[0] == &filled && relocated[1] == page, "relocated constants");
    require(!shmem_addr_accessible((void *)(uintptr_t)puts, 0), "a function");
    require(!shmem_ptr(&on_stack, 0), "a pointer to the stack");
    free(allocated);
}

/* Not shared, but the same at all PEs. */
static void check_constant(void)
{
    const char *volatile source = constant;
    char copy[sizeof constant] = "";

    shmem_getmem(copy, source, sizeof copy, (shmem_my_pe() + 1) % shmem_n_pes());
    require(strcmp(copy, constant) == 0, "a get of a constant");
}

static void check_lock_and_signal(void)
{
    int right = (shmem_my_pe() + 1) % shmem_n_pes();
    long expected = 100L * shmem_n_pes();

    for (int i = 0; i < 100; i++) {
        shmem_set_lock(&lock);
        shmem_long_p(&guarded, shmem_long_g(&guarded, 0) + 1, 0);
        shmem_clear_lock(&lock);
    }
    shmem_barrier_all();
    require(shmem_long_g(&guarded, 0) == expected, "a lock in static data");
    shmem_int_put_signal(&filled, &right, 1, &arrived, 1, SHMEM_SIGNAL_ADD, right);
    shmem_signal_wait_until(&arrived, SHMEM_CMP_EQ, 1);
    require(filled == shmem_my_pe(), "a signal in static data");
    shmem_barrier_all();
}

/* The object of the job holds what was touched, not 200 MiB for each PE. */
static void check_memory(void)
{
    int fd = -1;
    struct stat object;

    if (shmem_n_pes() == 1 || sscanf(getenv("TERN_BOOT"), "oshrun:%d", &fd) != 1)
        return;
    require(fstat(fd, &object) == 0, "the job's object");
    require(object.st_blocks * 512 < 16 * MIB * (long)shmem_n_pes(), "untouched data is sparse");
}

int main(void)
{
    check_content();
    shmem_init();
    check_content();
    shmem_barrier_all();
    check_memory();
    check_what_is_not_symmetric();
    check_object("COMMON or .bss", &common_or_zeroed, sizeof common_or_zeroed);
    check_object("an initialized scalar", &filled, sizeof filled);
    check_object("a scalar of zeros", &zeroed, sizeof zeroed);
    check_object("a large array of zeros", large, sizeof large);
    check_object("a large initialized array", filled_large, sizeof filled_large);
    check_object("a page", page, sizeof page);
    check_object("an aligned structure", &record, sizeof record.x);
    check_object("a function's static variable", local_to_a_function(), sizeof(int));
    check_constant();
    check_lock_and_signal();
    if (shmem_my_pe() == 0)
        puts("statics: fine");
    shmem_finalize();
    return 0;
}

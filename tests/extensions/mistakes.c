/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes one mistake with the routines of other interfaces, which the first argument names. */
#include <mpp/shmem.h>
#include <shmemx.h>
#include <string.h>
#include <sys/mman.h>

static long data, twin;
static void *passed;

static void wait_random(void)
{
    shmem_wait_nb((void *)0x123456);
}

/* The address of the handle is what a caller of MPI would pass. */
static void wait_address(void)
{
    void *handle = NULL;

    shmem_long_put_nb(&data, &twin, 1, 0, &handle);
    shmem_wait_nb(&handle);
}

static void test_address(void)
{
    void *handle = NULL;

    shmem_long_put_nb(&data, &twin, 1, 0, &handle);
    shmem_test_nb(&handle);
}

/* PE 0 starts an operation and PE 1 waits for it; on the node it would be complete at once. */
static void wait_foreign(void)
{
    if (shmem_my_pe() == 0) {
        void *handle = NULL;

        shmem_long_get_nb(&twin, &data, 1, 1, &handle);
        shmem_put64(&passed, &handle, 1, 1);
    }
    shmem_barrier_all();
    if (shmem_my_pe() == 1)
        shmem_wait_nb(passed);
}

static void put_outside(void)
{
    void *handle;

    shmem_long_put_nb(&data, &twin, 1, 99, &handle);
}

static void get_stack(void)
{
    long local = 0;
    void *handle;

    shmem_long_get_nb(&twin, &local, 1, 1, &handle);
}

/* ---- shmemx_heap_create ---- */

static _Alignas(65536) char own[4 * 65536];

static void heap_unaligned(void)
{
    shmemx_heap_create(own + 8, sizeof own / 2, SHMEMX_EXTERNAL_HEAP_ZE, 0);
}

static void heap_odd_size(void)
{
    shmemx_heap_create(own, 1000, SHMEMX_EXTERNAL_HEAP_ZE, 0);
}

static void heap_unmapped(void)
{
    shmemx_heap_create((void *)65536, 65536, SHMEMX_EXTERNAL_HEAP_ZE, 0);
}

static void heap_shared_already(void)
{
    void *heap = shmem_align(65536, 65536);

    shmemx_heap_create(heap, 65536, SHMEMX_EXTERNAL_HEAP_ZE, 0);
}

static void *map(size_t bytes)
{
    return mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
                -1, 0);
}

static void heap_twice(void)
{
    shmemx_heap_create(map(65536), 65536, SHMEMX_EXTERNAL_HEAP_ZE, 0);
    shmemx_heap_create(map(65536), 65536, SHMEMX_EXTERNAL_HEAP_ZE, 0);
}

static void heap_sizes_differ(void)
{
    size_t bytes = 65536 * (size_t)(1 + shmem_my_pe());

    shmemx_heap_create(map(bytes), bytes, SHMEMX_EXTERNAL_HEAP_CUDA, 0);
    shmemx_heap_postinit();
}

static void heap_too_large(void)
{
    size_t bytes = (size_t)1 << 36;

    shmemx_heap_create(map(bytes), bytes, SHMEMX_EXTERNAL_HEAP_ZE, 0);
    shmemx_heap_postinit();
}

static void heap_device(void)
{
    shmemx_heap_create(map(65536), 65536, 7, 0);
}

static void heap_overrun(void)
{
    char *base = map(65536);

    shmemx_heap_create(base, 65536, SHMEMX_EXTERNAL_HEAP_ZE, 0);
    shmemx_heap_postinit();
    shmem_putmem(base + 65536 - 8, own, 16, 1);
}

static void exit_from_one(void)
{
    if (shmem_my_pe() == 0)
        globalexit(7);
}

static const struct {
    const char *name;
    void (*make)(void);
} mistakes[] = {
    {"wait-random", wait_random},       {"wait-address", wait_address},
    {"test-address", test_address},     {"wait-foreign", wait_foreign},
    {"put-outside", put_outside},       {"get-stack", get_stack},
    {"heap-unaligned", heap_unaligned}, {"heap-odd-size", heap_odd_size},
    {"heap-unmapped", heap_unmapped},   {"heap-shared", heap_shared_already},
    {"heap-twice", heap_twice},         {"heap-sizes", heap_sizes_differ},
    {"heap-too-large", heap_too_large}, {"heap-device", heap_device},
    {"heap-overrun", heap_overrun},     {"globalexit", exit_from_one},
};

int main(int argc, char **argv)
{
    shmem_init();
    for (size_t i = 0; i < sizeof mistakes / sizeof mistakes[0]; i++)
        if (argc > 1 && strcmp(argv[1], mistakes[i].name) == 0)
            mistakes[i].make();
    shmem_barrier_all();
    shmem_finalize();
    return 0;
}

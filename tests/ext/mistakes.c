/* SPDX-License-Identifier: BSD-3-Clause */
/* One mistake with the routines of other interfaces: its first argument says which. */
#include <mpp/shmem.h>
#include <shmemx.h>
#include <string.h>

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

static const struct {
    const char *name;
    void (*make)(void);
} mistakes[] = {
    {"wait-random", wait_random},   {"wait-address", wait_address}, {"test-address", test_address},
    {"wait-foreign", wait_foreign}, {"put-outside", put_outside},   {"get-stack", get_stack},
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

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A program that is not linked with Tern and loads it with dlopen().
 *
 *     late LIBRARY thread    while another thread runs
 *     late LIBRARY alone     while there is none
 *     late LIBRARY unload    unloads it again without having used it
 */
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int word = 3;
static void *library;

static void *find(const char *name)
{
    void *symbol = dlsym(library, name);

    if (!symbol) {
        fprintf(stderr, "%s\n", dlerror());
        exit(92);
    }
    return symbol;
}

static void *linger(void *unused)
{
    pause();
    return unused;
}

static void use(void)
{
    void (*init)(void) = (void (*)(void))find("shmem_init");
    void (*finalize)(void) = (void (*)(void))find("shmem_finalize");
    void (*barrier)(void) = (void (*)(void))find("shmem_barrier_all");
    void (*p)(int *, int, int) = (void (*)(int *, int, int))find("shmem_int_p");
    int (*my_pe)(void) = (int (*)(void))find("shmem_my_pe");
    int (*n_pes)(void) = (int (*)(void))find("shmem_n_pes");
    void *(*allocate)(size_t) = (void *(*)(size_t))find("shmem_malloc");
    int *block, left, right;

    init();
    left = (my_pe() + n_pes() - 1) % n_pes();
    right = (my_pe() + 1) % n_pes();
    block = allocate(sizeof *block);
    p(block, 100 + my_pe(), right);
    barrier();
    printf("heap %s\n", *block == 100 + left ? "works" : "fails");
    barrier();
    if (my_pe() == 0)
        p(&word, 7, 1);
    barrier();
    printf("static data %s\n", word == (my_pe() == 1 ? 7 : 3) ? "works" : "fails");
    finalize();
}

int main(int argc, char **argv)
{
    pthread_t thread;

    if (argc != 3)
        return 95;
    if (strcmp(argv[2], "thread") == 0)
        pthread_create(&thread, NULL, linger, NULL);
    library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        fprintf(stderr, "%s\n", dlerror());
        return 92;
    }
    if (strcmp(argv[2], "unload") == 0)
        dlclose(library);
    else
        use();
    return 0;
}

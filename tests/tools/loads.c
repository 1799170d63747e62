/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A program that is not linked with the library, and loads it for itself alone.
 *
 *     loads module MODULE [right]    by module.c, which is
 *     loads handle LIBRARY [right]   by its own handle; twice, and unloads it in between
 *     loads names LOOKALIKE LIBRARY  names that lead past a tool
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 10 };

static void *find(void *library, const char *name)
{
    void *symbol = dlsym(library, name);
    const char *error = dlerror();

    if (!symbol || error) {
        fprintf(stderr, "%s: %s\n", name, error ? error : "there is none, and no error");
        exit(2);
    }
    return symbol;
}

static void *load(const char *path)
{
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);

    if (!library) {
        fprintf(stderr, "%s\n", dlerror());
        exit(2);
    }
    return library;
}

static void put(const char *path, int right)
{
    void *library = load(path);
    void (*init)(void) = (void (*)(void))find(library, "shmem_init");
    void (*finalize)(void) = (void (*)(void))find(library, "shmem_finalize");
    int (*my_pe)(void) = (int (*)(void))find(library, "shmem_my_pe");
    void *(*allocate)(size_t) = (void *(*)(size_t))find(library, "shmem_malloc");
    void (*release)(void *) = (void (*)(void *))find(library, "shmem_free");
    void (*put_row)(long *, const long *, size_t, int) =
        (void (*)(long *, const long *, size_t, int))find(library, "shmem_long_put");
    long row[N + 2] = {0}, *block;

    init();
    block = allocate(N * sizeof *block);
    put_row(block, row, right ? N : N + 2, my_pe()); /* by shmem_long_put: past */
    release(block);
    finalize();
    if (dlsym(library, "shmem_is_none") || !dlerror())
        exit(4);
    dlclose(library);
}

static int handle(const char *path, int right)
{
    put(path, 1);
    put(path, right);
    return 0;
}

static int module(const char *path, int right)
{
    void *loaded = load(path);
    int (*run)(int) = (int (*)(int))find(loaded, "module_runs");
    int r = run(right);

    dlclose(loaded);
    return r;
}

/* A look-up that leads to no wrapper's routine is left alone, before and after there is a library.
 */
static int names(const char *lookalike, const char *library)
{
    void *loaded = load(lookalike), *routine = find(loaded, "shmem_n_pes");
    Dl_info info;

    if (((int (*)(void))routine)() != 77)
        return 5;
    if (!dladdr(find(load(library), "pshmem_my_pe"), &info) || !strstr(info.dli_fname, "libtern."))
        return 6;
    return find(loaded, "shmem_n_pes") == routine ? 0 : 7;
}

int main(int argc, char **argv)
{
    int right = argc > 3;

    if (argc < 3)
        return 8;
    if (strcmp(argv[1], "module") == 0)
        return module(argv[2], right);
    if (strcmp(argv[1], "handle") == 0)
        return handle(argv[2], right);
    return names(argv[2], argv[3]);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A collection of small programs with and without races, a function each. RIGHT(name) and
 * WRONG(name) begin a program, which collection.py finds by its lines. A job runs the programs of a
 * file one after the other, with a barrier of all PEs between them, after which each PE prints the
 * name of the next program. It needs three PEs.
 */
#ifndef COLLECTION_H
#define COLLECTION_H

#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct program {
    const char *name;
    void (*run)(void);
};

/* The linker names the begin and the end of the section. */
#ifdef __cplusplus
extern "C" {
#endif
extern const struct program __start_programs[], __stop_programs[];
#ifdef __cplusplus
}
#endif

#define PROGRAM(kind, name)                                                                        \
    static void kind##_##name(void);                                                               \
    static const struct program kind##_##name##_entry                                              \
        __attribute__((section("programs"), used, aligned(8))) = {#kind "_" #name, kind##_##name}; \
    static void kind##_##name(void)
#define RIGHT(name) PROGRAM(right, name)
#define WRONG(name) PROGRAM(wrong, name)

#define N 16

static int me, n, next, before;

/* A value that the compiler has to load. */
static inline void use(long value)
{
    __asm__ volatile("" : : "r"(value) : "memory");
}

static inline void meet(void)
{
    shmem_barrier_all();
}

/*
 * collection [NAME]...: runs the programs of these names, or all. With COLLECTION_ALONE in the
 * environment one thread makes all calls.
 */
int main(int argc, char **argv)
{
    int level = getenv("COLLECTION_ALONE") ? SHMEM_THREAD_SINGLE : SHMEM_THREAD_MULTIPLE;
    int provided;

    if (shmem_init_thread(level, &provided) != 0)
        return 2;
    me = shmem_my_pe();
    n = shmem_n_pes();
    next = (me + 1) % n;
    before = (me + n - 1) % n;
    for (const struct program *program = __start_programs; program < __stop_programs; program++) {
        int wanted = argc == 1;

        for (int i = 1; i < argc; i++)
            wanted |= strcmp(argv[i], program->name) == 0;
        if (!wanted)
            continue;
        fprintf(stderr, "collection: PE %d begins %s\n", me, program->name);
        program->run();
        shmem_barrier_all();
    }
    shmem_finalize();
    return 0;
}

#endif

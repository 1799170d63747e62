/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A preloaded stand-in for a machine that runs out of a resource. THREADS: how many threads can be
 * started; BLOCKS: how many aligned blocks of memory can be allocated.
 */
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

/* Whether one of so many is left. */
static int take(const char *variable, int *taken)
{
    const char *most = getenv(variable);

    return !most || __atomic_fetch_add(taken, 1, __ATOMIC_RELAXED) < atoi(most);
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*run)(void *), void *arg)
{
    static int taken;
    int (*create)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);

    *(void **)&create = dlsym(RTLD_NEXT, "pthread_create");
    return take("THREADS", &taken) ? create(thread, attr, run, arg) : EAGAIN;
}

void *aligned_alloc(size_t alignment, size_t bytes)
{
    static int taken;
    void *block;

    return take("BLOCKS", &taken) && posix_memalign(&block, alignment, bytes) == 0 ? block : NULL;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* PEs that are threads of one process, so ThreadSanitizer sees all accesses of all PEs. */
#include "tsan/pes.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "base/os.h"
#include "boot/boot.h"
#include "tsan/common.h"

#define MOST_PES 64

/* Of the object, mapped once for all: more than control memory and heaps of MOST_PES need. */
#define OBJECT_BYTES ((size_t)4 << 30)
#define HEAP_BYTES "16M"

/* For all threads the same, and constant once they run. */
static struct {
    int n_pes, fd;
    void *object;
    bool asleep;
    void (*body)(void);
} job;

/* The first report ends the test. */
const char *__tsan_default_options(void);
__attribute__((visibility("default"))) const char *__tsan_default_options(void)
{
    return "halt_on_error=1:exitcode=66:atexit_sleep_ms=0:history_size=4";
}

static void *be_pe(void *number)
{
    tern_boot_be_thread((int)(intptr_t)number, job.n_pes, job.fd, job.object);
    shmem_init();
    if (job.asleep)
        pes_sleep_at_once();
    job.body();
    shmem_finalize();
    return NULL;
}

int pes_run(int argc, char **argv, const char *name, void (*body)(void))
{
    pthread_t threads[MOST_PES];

    common_start(name);
    job.n_pes = argc > 1 ? atoi(argv[1]) : 2;
    job.asleep = common_asks_for_sleep(argc, argv);
    job.body = body;
    if (job.n_pes < 1 || job.n_pes > MOST_PES) {
        fprintf(stderr, "%s: 1 to %d PEs, not %s\n", name, MOST_PES, argv[1]);
        return 2;
    }
    setenv("SHMEM_SYMMETRIC_SIZE", HEAP_BYTES, 1);
    job.fd = tern_os_memfd("tsan", tern_job_object_size((uint32_t)job.n_pes));
    job.object =
        mmap(NULL, OBJECT_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, job.fd, 0);
    if (job.fd < 0 || job.object == MAP_FAILED) {
        perror(name);
        return 2;
    }
    for (int i = 0; i < job.n_pes; i++)
        pthread_create(&threads[i], NULL, be_pe, (void *)(intptr_t)i);
    for (int i = 0; i < job.n_pes; i++)
        pthread_join(threads[i], NULL);
    return 0;
}

int pes_rounds(int native)
{
    int rounds = native / (5 * job.n_pes);

    return rounds < 10 ? 10 : rounds;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Creates the shared memory object and the lifeline, and describes them in TERN_BOOT. */
#include "launch/job/job_object.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/compat.h"
#include "base/limit.h"
#include "base/log.h"
#include "base/os.h"
#include "launch/process/descriptors.h"

static int make_object(uint64_t bytes)
{
    int fd = tern_os_memfd("tern-job", bytes);

    if (fd == -EFBIG) {
        struct rlimit limit;

        getrlimit(RLIMIT_FSIZE, &limit);
        tern_error("the PEs' shared memory object (%" PRIu64 " GiB of addresses, hardly any memory)"
                   " exceeds the hard limit on file sizes of %" PRIu64
                   " bytes: raise it (ulimit -Hf unlimited)" TERN_SEE("Limits"),
                   bytes >> 30, (uint64_t)limit.rlim_max);
    } else if (fd == -ENOSYS) {
        char why[TERN_COMPAT_BYTES];

        tern_compat_explain("memfd_create", "3.17", ENOSYS, why);
        tern_error("the PEs' shared memory object can't be made: %s", why);
    } else if (fd < 0) {
        tern_limit_report(-fd, "the PEs' shared memory object can't be made");
    }
    return fd < 0 ? fd : tern_descriptors_move(fd, TERN_DESCRIPTORS_HIGH);
}

static int make_lifeline(void)
{
    int ends[2];

    if (pipe2(ends, O_CLOEXEC) != 0)
        return tern_limit_report(errno, "no pipe can be made");
    /* Each PE opens the reading end through /proc, for a file description of its own. */
    close(ends[0]);
    return tern_descriptors_move(ends[1], TERN_DESCRIPTORS_HIGH);
}

int tern_job_object_make(struct tern_job_object *object, uint32_t n_pes, uint32_t cores)
{
    struct tern_job_area *shared;
    struct stat processes;
    char words[64];
    uint64_t key;

    object->fd = make_object(tern_job_object_size(n_pes));
    if (object->fd < 0)
        return object->fd;
    object->lifeline = make_lifeline();
    if (object->lifeline < 0)
        return object->lifeline;
    shared =
        mmap(NULL, tern_job_area_bytes(n_pes), PROT_READ | PROT_WRITE, MAP_SHARED, object->fd, 0);
    if (shared == MAP_FAILED)
        return tern_limit_report(errno, "the PEs' shared memory object can't be set up");
    /* The last page may have address cards. */
    madvise(shared, tern_job_area_bytes(n_pes), MADV_DONTDUMP);
    if (getrandom(&key, sizeof key, 0) != sizeof key) {
        int e = errno;

        tern_error("the system gives no random number (getrandom): %s", strerror(e));
        return -e;
    }
    shared->version = TERN_JOB_AREA_VERSION;
    shared->n_pes = n_pes;
    shared->n_cards = n_pes;
    shared->key = key;
    shared->launcher_pid = getpid();
    shared->launcher_processes = stat(TERN_OWN_PROCESSES, &processes) == 0 ? processes.st_ino : 0;
    shared->cores = cores;
    shared->lifeline_fd = object->lifeline;
    shared->magic = TERN_JOB_AREA_MAGIC;
    object->shared = shared;
    tern_job_handle_write(&(struct tern_job_handle){object->fd, getpid(), key}, words,
                          sizeof words);
    snprintf(object->boot, sizeof object->boot, TERN_BOOT_VARIABLE "=%s", words);
    return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Copies the image in the child of a fork, while the parent waits. */
#include "mem/fork.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/compat.h"
#include "base/compiler.h"

/*
 * The image is shared memory, so the child would use its parent's variables. In a dynamic program
 * handlers of pthread_atfork() copy the image. They were registered before main, so after the fork
 * they run before the program's handlers.
 *
 * In a static program that is too late, because libc's variables are in the image. Before libc's
 * fork() calls any handler in the child, it resets its locks and lists of threads, which would
 * change the parent's. Therefore _Fork(), the part of fork() that makes the system call, is
 * replaced there.
 */
static TERN_PE_LOCAL struct {
    struct tern_fork_part parts[TERN_FORK_MOST_PARTS];
    int n_parts; /* 0: there is no image, or this process is a child with its own copy */
    int fd;
    pthread_mutex_t lock;
    int pipe[2];
    sigset_t signals;
} image = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* A signal handler in the child must not use the variables before the copy. */
static void begin(void)
{
    sigset_t all, before;

    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pthread_mutex_lock(&image.lock);
    image.signals = before;
    if (!image.n_parts || pipe2(image.pipe, O_CLOEXEC) != 0)
        image.pipe[0] = image.pipe[1] = -1;
}

static void end(void)
{
    sigset_t before = image.signals;

    pthread_mutex_unlock(&image.lock);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

/* The pipe hangs up when the child has made its copy, or has died. */
static void resume_in_parent(void)
{
    char c;

    close(image.pipe[1]);
    while (read(image.pipe[0], &c, 1) < 0 && errno == EINTR)
        ;
    close(image.pipe[0]);
    end();
}

/* Uses raw system calls and locals only: in a static program libc's variables are being moved. */
static bool read_populated(int fd, uint64_t offset, size_t bytes, char *to)
{
    uint64_t at = offset, last = offset + bytes;

    for (;;) {
        long data = syscall(SYS_lseek, fd, at, SEEK_DATA);
        long hole;

        if (data < 0 || (uint64_t)data >= last)
            return true;
        hole = syscall(SYS_lseek, fd, data, SEEK_HOLE);
        if (hole < 0 || (uint64_t)hole > last)
            hole = (long)last;
        for (at = (uint64_t)data; at < (uint64_t)hole;) {
            long n = syscall(SYS_pread64, fd, to + (at - offset), (uint64_t)hole - at, at);

            if (n <= 0)
                return false;
            at += (uint64_t)n;
        }
    }
}

static bool own_part(const struct tern_fork_part *part, int fd)
{
    size_t bytes = part->end - part->start;
    long copy = syscall(SYS_mmap, NULL, bytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    return copy != -1 && read_populated(fd, part->offset, bytes, (char *)copy) &&
           syscall(SYS_mremap, copy, bytes, bytes, MREMAP_MAYMOVE | MREMAP_FIXED, part->start) !=
               -1;
}

static void resume_in_child(void)
{
    for (int i = 0; i < image.n_parts; i++) {
        if (!own_part(&image.parts[i], image.fd)) {
            /* Without a copy the child would overwrite the parent's variables. */
            static const char text[] =
                "tern: the child of a fork has no memory for its variables\n";
            syscall(SYS_write, STDERR_FILENO, text, sizeof text - 1);
            syscall(SYS_exit_group, 127);
        }
    }
    image.n_parts = 0;
    close(image.pipe[0]);
    close(image.pipe[1]);
    end();
}

/* The kernel stores the child's thread number where libc keeps that of the calling thread. */
static long clone_process(int *tid)
{
    unsigned long flags = SIGCHLD | (tid ? CLONE_CHILD_SETTID | CLONE_CHILD_CLEARTID : 0);

#ifdef __x86_64__
    return syscall(SYS_clone, flags, 0, 0, tid, 0);
#else
    return syscall(SYS_clone, flags, 0, 0, 0, tid);
#endif
}

/* The child does not hold the robust mutexes that the parent holds. */
static void forget_robust_mutexes(void)
{
    struct robust_list_head *head;
    size_t bytes;

    if (syscall(SYS_get_robust_list, 0, &head, &bytes) != 0 || !head)
        return;
    head->list.next = &head->list;
    syscall(SYS_set_robust_list, head, bytes);
}

/*
 * Does what libc's own _Fork() does, and copies the image. begin() and end() block signals
 * meanwhile.
 */
static pid_t fork_static(void)
{
    int *tid = NULL, error;
    pid_t pid;

    begin();
    if (syscall(SYS_prctl, PR_GET_TID_ADDRESS, &tid) != 0)
        tid = NULL;
    pid = (pid_t)clone_process(tid);
    error = errno;
    if (pid == 0) {
        forget_robust_mutexes();
        resume_in_child();
    } else {
        resume_in_parent();
    }
    errno = error;
    return pid;
}

/* Weak: if libc's _Fork() has been linked already, it is kept. */
pid_t _Fork(void) __attribute__((weak, alias("fork_static")));

bool tern_fork_can_copy(bool is_static)
{
    return !is_static || tern_compat_fork_is_split();
}

void tern_fork_guard(const struct tern_fork_part *parts, int n_parts, int fd, bool is_static)
{
    memcpy(image.parts, parts, (size_t)n_parts * sizeof parts[0]);
    image.n_parts = n_parts;
    image.fd = fd;
    if (!is_static || _Fork != fork_static)
        pthread_atfork(begin, resume_in_parent, resume_in_child);
}

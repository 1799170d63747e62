/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The C library's functions that may fail because something is used up or broken. Those that fail
 * only if called wrongly have no wrapper. Calls that print messages, write() to standard error
 * among them, do not fail: then there would be no message to judge.
 */
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <ifaddrs.h>
#include <netdb.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "inject.h"

#pragma GCC visibility push(default)

/* dlsym() may allocate. */
void *__libc_malloc(size_t bytes);
void *__libc_calloc(size_t n, size_t bytes);
void *__libc_realloc(void *block, size_t bytes);
void *__libc_memalign(size_t alignment, size_t bytes);

#define REAL(name)                                                                                 \
    static __typeof__(&name) real;                                                                 \
    if (!real)                                                                                     \
    real = (__typeof__(&name))dlsym(RTLD_NEXT, #name)

#define FAIL(name, error, result)                                                                  \
    if (FAILS(name)) {                                                                             \
        errno = error;                                                                             \
        return result;                                                                             \
    }

/* TYPE NAME(PARAMETERS), which reports a failure by a result and errno. */
#define WRAP(type, name, parameters, arguments, error, result)                                     \
    type name parameters                                                                           \
    {                                                                                              \
        REAL(name);                                                                                \
        FAIL(#name, error, result)                                                                 \
        return real arguments;                                                                     \
    }

/* ---- memory ---- */

void *malloc(size_t bytes)
{
    FAIL("malloc", ENOMEM, NULL)
    return __libc_malloc(bytes);
}

void *calloc(size_t n, size_t bytes)
{
    FAIL("calloc", ENOMEM, NULL)
    return __libc_calloc(n, bytes);
}

void *realloc(void *block, size_t bytes)
{
    FAIL("realloc", ENOMEM, NULL)
    return __libc_realloc(block, bytes);
}

void *aligned_alloc(size_t alignment, size_t bytes)
{
    FAIL("aligned_alloc", ENOMEM, NULL)
    return __libc_memalign(alignment, bytes);
}

WRAP(void *, reallocarray, (void *block, size_t n, size_t bytes), (block, n, bytes), ENOMEM, NULL)
WRAP(char *, strdup, (const char *text), (text), ENOMEM, NULL)
WRAP(char *, realpath, (const char *path, char *to), (path, to), ENOMEM, NULL)
WRAP(int, setenv, (const char *name, const char *value, int replace), (name, value, replace),
     ENOMEM, -1)
WRAP(FILE *, open_memstream, (char **text, size_t *bytes), (text, bytes), ENOMEM, NULL)
WRAP(ssize_t, __getdelim, (char **line, size_t *room, int end, FILE *f), (line, room, end, f),
     ENOMEM, -1)

int asprintf(char **text, const char *format, ...)
{
    va_list list;
    int n;

    FAIL("asprintf", ENOMEM, -1)
    va_start(list, format);
    n = vasprintf(text, format, list);
    va_end(list);
    return n;
}

int glob64(const char *pattern, int flags, int (*bad)(const char *, int), glob64_t *found)
{
    REAL(glob64);
    FAIL("glob", ENOMEM, GLOB_NOSPACE)
    return real(pattern, flags, bad, found);
}

/* ---- mappings ---- */

WRAP(void *, mmap64, (void *at, size_t n, int protection, int flags, int fd, off64_t offset),
     (at, n, protection, flags, fd, offset), ENOMEM, MAP_FAILED)
WRAP(int, munmap, (void *at, size_t n), (at, n), ENOMEM, -1)
WRAP(int, madvise, (void *at, size_t n, int advice), (at, n, advice), EINVAL, -1)
WRAP(int, memfd_create, (const char *name, unsigned flags), (name, flags), EMFILE, -1)
WRAP(int, ftruncate64, (int fd, off64_t bytes), (fd, bytes), ENOSPC, -1)
WRAP(int, fallocate64, (int fd, int mode, off64_t from, off64_t n), (fd, mode, from, n), ENOSPC, -1)

void *mremap(void *from, size_t before, size_t after, int flags, ...)
{
    REAL(mremap);
    void *to;
    va_list list;

    va_start(list, flags);
    to = va_arg(list, void *);
    va_end(list);
    FAIL("mremap", ENOMEM, MAP_FAILED)
    return real(from, before, after, flags, to);
}

/* ---- descriptors ---- */

#define WRAP_OPEN(name, parameters, arguments)                                                     \
    int name parameters                                                                            \
    {                                                                                              \
        REAL(name);                                                                                \
        va_list list;                                                                              \
        mode_t mode;                                                                               \
                                                                                                   \
        va_start(list, flags);                                                                     \
        mode = va_arg(list, mode_t);                                                               \
        va_end(list);                                                                              \
        FAIL(#name, EMFILE, -1)                                                                    \
        return real arguments;                                                                     \
    }

WRAP_OPEN(open64, (const char *path, int flags, ...), (path, flags, mode))
WRAP_OPEN(openat64, (int at, const char *path, int flags, ...), (at, path, flags, mode))

int fcntl64(int fd, int command, ...)
{
    REAL(fcntl64);
    va_list list;
    void *argument;

    va_start(list, command);
    argument = va_arg(list, void *);
    va_end(list);
    if (command == F_DUPFD || command == F_DUPFD_CLOEXEC)
        FAIL("fcntl", EMFILE, -1)
    return real(fd, command, argument);
}

/*
 * libfabric's provider verbs reads this file for 100 ms. The engine prevents that by libfabric's
 * table of addresses, where it does not find it behind this library's functions.
 */
FILE *open_of_libfabric(const char *path, const char *mode) __asm__("fopen");

FILE *open_of_libfabric(const char *path, const char *mode)
{
    if (strcmp(path, "/proc/kallsyms") == 0) {
        errno = ENOENT;
        return NULL;
    }
    FAIL("fopen", EMFILE, NULL)
    return fopen64(path, mode);
}

WRAP(FILE *, fopen64, (const char *path, const char *mode), (path, mode), EMFILE, NULL)
WRAP(DIR *, opendir, (const char *path), (path), EMFILE, NULL)
WRAP(int, dup2, (int from, int to), (from, to), EMFILE, -1)
WRAP(int, pipe2, (int ends[2], int flags), (ends, flags), EMFILE, -1)
WRAP(int, eventfd, (unsigned count, int flags), (count, flags), EMFILE, -1)
WRAP(int, signalfd, (int fd, const sigset_t *set, int flags), (fd, set, flags), EMFILE, -1)
WRAP(int, epoll_create1, (int flags), (flags), EMFILE, -1)
WRAP(int, epoll_ctl, (int fd, int op, int of, struct epoll_event *event), (fd, op, of, event),
     ENOSPC, -1)
WRAP(int, epoll_wait, (int fd, struct epoll_event *events, int n, int ms), (fd, events, n, ms),
     EINTR, -1)
WRAP(int, poll, (struct pollfd * fds, nfds_t n, int ms), (fds, n, ms), ENOMEM, -1)

/* ---- sockets ---- */

WRAP(int, socket, (int domain, int type, int protocol), (domain, type, protocol), EMFILE, -1)
WRAP(int, socketpair, (int domain, int type, int protocol, int ends[2]),
     (domain, type, protocol, ends), EMFILE, -1)
WRAP(int, bind, (int fd, const struct sockaddr *address, socklen_t n), (fd, address, n), ENOMEM, -1)
WRAP(int, listen, (int fd, int n), (fd, n), EACCES, -1) /* EADDRINUSE is for ports */
WRAP(int, connect, (int fd, const struct sockaddr *address, socklen_t n), (fd, address, n), ENOMEM,
     -1)
WRAP(int, accept4, (int fd, struct sockaddr *address, socklen_t *n, int flags),
     (fd, address, n, flags), EMFILE, -1)
WRAP(ssize_t, send, (int fd, const void *bytes, size_t n, int flags), (fd, bytes, n, flags),
     ENOBUFS, -1)
WRAP(ssize_t, recv, (int fd, void *bytes, size_t n, int flags), (fd, bytes, n, flags), EIO, -1)
WRAP(ssize_t, sendmsg, (int fd, const struct msghdr *message, int flags), (fd, message, flags),
     ENOMEM, -1)
WRAP(ssize_t, recvmsg, (int fd, struct msghdr *message, int flags), (fd, message, flags), ENOMEM,
     -1)

int getaddrinfo(const char *host, const char *service, const struct addrinfo *hints,
                struct addrinfo **found)
{
    REAL(getaddrinfo);
    if (FAILS("getaddrinfo"))
        return EAI_MEMORY;
    return real(host, service, hints, found);
}

WRAP(int, getifaddrs, (struct ifaddrs * *all), (all), ENOMEM, -1)

/* ---- input and output ---- */

WRAP(ssize_t, read, (int fd, void *to, size_t n), (fd, to, n), EIO, -1)
WRAP(ssize_t, pread64, (int fd, void *to, size_t n, off64_t at), (fd, to, n, at), EIO, -1)
WRAP(ssize_t, readlink, (const char *path, char *to, size_t n), (path, to, n), EACCES, -1)
WRAP(ssize_t, getrandom, (void *to, size_t n, unsigned flags), (to, n, flags), ENOSYS, -1)
WRAP(char *, getcwd, (char *to, size_t n), (to, n), ENOMEM, NULL)

ssize_t write(int fd, const void *from, size_t n)
{
    REAL(write);
    if (fd != STDERR_FILENO)
        FAIL("write", EIO, -1)
    return real(fd, from, n);
}

/* ---- threads and processes ---- */

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *),
                   void *argument)
{
    REAL(pthread_create);
    if (FAILS("pthread_create"))
        return EAGAIN;
    return real(thread, attributes, run, argument);
}

WRAP(pid_t, fork, (void), (), EAGAIN, -1)
WRAP(int, execve, (const char *path, char *const argv[], char *const envp[]), (path, argv, envp),
     ENOMEM, -1)
WRAP(int, execv, (const char *path, char *const argv[]), (path, argv), ENOMEM, -1)
WRAP(int, setpgid, (pid_t pid, pid_t group), (pid, group), EPERM, -1)
WRAP(int, sched_setaffinity, (pid_t pid, size_t n, const cpu_set_t *set), (pid, n, set), EINVAL, -1)
WRAP(int, sched_getaffinity, (pid_t pid, size_t n, cpu_set_t *set), (pid, n, set), EINVAL, -1)

int posix_spawn(pid_t *pid, const char *path, const posix_spawn_file_actions_t *actions,
                const posix_spawnattr_t *attributes, char *const argv[], char *const envp[])
{
    REAL(posix_spawn);
    if (FAILS("posix_spawn"))
        return EAGAIN;
    return real(pid, path, actions, attributes, argv, envp);
}

int posix_spawn_file_actions_init(posix_spawn_file_actions_t *actions)
{
    REAL(posix_spawn_file_actions_init);
    if (FAILS("posix_spawn_file_actions_init"))
        return ENOMEM;
    return real(actions);
}

int clone(int (*run)(void *), void *stack, int flags, void *argument, ...)
{
    REAL(clone);
    FAIL("clone", EAGAIN, -1)
    return real(run, stack, flags, argument, NULL, NULL, NULL);
}

/* ---- system calls by number ---- */

static const struct {
    long number;
    const char *name;
    int error;
} by_number[] = {
    {SYS_mmap, "syscall_mmap", ENOMEM},
    {SYS_mremap, "syscall_mremap", ENOMEM},
    {SYS_memfd_create, "syscall_memfd_create", EMFILE},
    {SYS_openat, "syscall_openat", EMFILE},
    {SYS_pread64, "syscall_pread64", EIO},
    {SYS_membarrier, "syscall_membarrier", EPERM},
    {SYS_sched_setattr, "syscall_sched_setattr", EPERM},
#ifdef SYS_pidfd_open
    {SYS_pidfd_open, "syscall_pidfd_open", EMFILE},
#endif
#ifdef SYS_close_range
    {SYS_close_range, "syscall_close_range", ENOMEM},
#endif
};

long syscall(long number, ...)
{
    REAL(syscall);
    long a[6];
    va_list list;

    va_start(list, number);
    for (int i = 0; i < 6; i++)
        a[i] = va_arg(list, long);
    va_end(list);
    for (size_t i = 0; i < sizeof by_number / sizeof *by_number; i++)
        if (by_number[i].number == number)
            FAIL(by_number[i].name, by_number[i].error, -1)
    return real(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

#pragma GCC visibility pop

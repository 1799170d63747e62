/* SPDX-License-Identifier: BSD-3-Clause */
/* The Linux calls behind base/os.h. */
#include "base/os.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <linux/membarrier.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

uint64_t tern_os_now_ns(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

size_t tern_os_page_size(void)
{
    return (size_t)sysconf(_SC_PAGESIZE);
}

void tern_os_futex_wait(const uint32_t *word, uint32_t seen, uint64_t timeout_ns)
{
    struct timespec t = {.tv_sec = (time_t)(timeout_ns / 1000000000u),
                         .tv_nsec = (long)(timeout_ns % 1000000000u)};

    syscall(SYS_futex, word, FUTEX_WAIT, seen, &t, NULL, 0);
}

void tern_os_futex_wake_all(const uint32_t *word)
{
    syscall(SYS_futex, word, FUTEX_WAKE, INT32_MAX, NULL, NULL, 0);
}

bool tern_os_barrier_register(void)
{
    return syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_GLOBAL_EXPEDITED, 0, 0) == 0;
}

bool tern_os_barrier_all(void)
{
    return syscall(SYS_membarrier, MEMBARRIER_CMD_GLOBAL_EXPEDITED, 0, 0) == 0;
}

bool tern_os_barrier_own_register(void)
{
    return syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0) == 0;
}

void tern_os_barrier_own(void)
{
    syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0);
}

/*
 * The limit on file sizes (ulimit -f) applies to memory objects too, though it is meant for files.
 * Raises it for this object as far as the user may, and removes its signal, which would end the
 * process.
 */
static int set_size(int fd, uint64_t size)
{
    struct rlimit limit, raised;
    struct timespec now = {0};
    sigset_t signal_of_limit, before;
    int e = 0;

    sigemptyset(&signal_of_limit);
    sigaddset(&signal_of_limit, SIGXFSZ);
    pthread_sigmask(SIG_BLOCK, &signal_of_limit, &before);
    getrlimit(RLIMIT_FSIZE, &limit);
    raised = (struct rlimit){limit.rlim_max, limit.rlim_max};
    setrlimit(RLIMIT_FSIZE, &raised);
    if (ftruncate(fd, (off_t)size) != 0)
        e = errno;
    setrlimit(RLIMIT_FSIZE, &limit);
    if (e == EFBIG)
        sigtimedwait(&signal_of_limit, NULL, &now);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return -e;
}

int tern_os_memfd(const char *label, uint64_t size)
{
    int fd = (int)syscall(SYS_memfd_create, label, MFD_CLOEXEC), r;

    if (fd < 0)
        return -errno;
    r = set_size(fd, size);
    if (r)
        close(fd);
    return r ? r : fd;
}

bool tern_os_read_line(const char *path, char *line, int size)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t length;

    if (fd < 0)
        return false;
    length = read(fd, line, (size_t)size - 1);
    close(fd);
    line[length > 0 ? length : 0] = '\0';
    line[strcspn(line, "\n")] = '\0';
    return length > 0;
}

/* Visits the file of a group and of those above it; changes `group`, its path below the root. */
static void climb(const struct tern_os_group_file *file, char *group,
                  void (*visit)(const char *dir, const char *path, void *arg), void *arg)
{
    char dir[1400], path[1600], *slash = strrchr(group, '/');

    if (slash && !slash[1]) /* the topmost group is "/": its folder is the root itself */
        *slash = '\0';
    for (;;) {
        snprintf(dir, sizeof dir, "%s%s", file->root, group);
        snprintf(path, sizeof path, "%s/%s", dir, file->name);
        visit(dir, path, arg);
        slash = strrchr(group, '/');
        if (!slash)
            return;
        *slash = '\0';
    }
}

void tern_os_each_group(const struct tern_os_group_file *files, size_t n,
                        void (*visit)(const char *dir, const char *path, void *arg), void *arg)
{
    char line[1024];
    FILE *f = fopen("/proc/self/cgroup", "re");

    if (!f)
        return;
    while (fgets(line, sizeof line, f)) {
        char *names = strchr(line, ':'), *group = names ? strchr(names + 1, ':') : NULL;

        if (!group)
            continue;
        *group++ = '\0';
        names++;
        group[strcspn(group, "\n")] = '\0';
        for (size_t i = 0; i < n; i++)
            if (!strcmp(names, files[i].controller)) {
                climb(&files[i], group, visit, arg);
                break;
            }
    }
    fclose(f);
}

void tern_os_each_pids_group(void (*visit)(const char *dir, const char *path, void *arg), void *arg)
{
    static const struct tern_os_group_file files[] = {
        {"", "/sys/fs/cgroup", "pids.max"},
        {"pids", "/sys/fs/cgroup/pids", "pids.max"},
    };

    tern_os_each_group(files, sizeof files / sizeof files[0], visit, arg);
}

static void least_memory(const char *dir, const char *path, void *arg)
{
    uint64_t *least = arg, bytes;
    char line[64], *end;

    if (!tern_os_read_line(path, line, sizeof line))
        return;
    bytes = strtoull(line, &end, 10);
    /* Version 1 shows the largest multiple of a page if there is no limit. */
    if (end != line && bytes < (UINT64_C(1) << 62) && bytes < *least)
        *least = bytes;
}

static void least_cores(const char *dir, const char *path, void *arg)
{
    int *cores = arg;
    char line[64], other[1700];
    double quota, period;

    if (!tern_os_read_line(path, line, sizeof line))
        return;
    if (sscanf(line, "%lf %lf", &quota, &period) != 2) { /* version 1: two files */
        quota = atof(line);
        snprintf(other, sizeof other, "%s/cpu.cfs_period_us", dir);
        if (!tern_os_read_line(other, line, sizeof line))
            return;
        period = atof(line);
    }
    if (quota > 0 && period > 0) {
        int n = (int)((quota + period - 1) / period);

        if (n < *cores)
            *cores = n < 1 ? 1 : n;
    }
}

int tern_os_cores(void)
{
    /* Room for more processors than any kernel supports. */
    static const size_t bytes = 8192 / 8;
    static const struct tern_os_group_file files[] = {
        {"", "/sys/fs/cgroup", "cpu.max"},
        {"cpu,cpuacct", "/sys/fs/cgroup/cpu,cpuacct", "cpu.cfs_quota_us"},
        {"cpu", "/sys/fs/cgroup/cpu", "cpu.cfs_quota_us"},
    };
    cpu_set_t *set = malloc(bytes);
    int cores = 1;

    if (set && sched_getaffinity(0, bytes, set) == 0)
        cores = CPU_COUNT_S(bytes, set);
    free(set);
    tern_os_each_group(files, sizeof files / sizeof files[0], least_cores, &cores);
    return cores < 1 ? 1 : cores;
}

int tern_os_all_cores(void)
{
    long cores = sysconf(_SC_NPROCESSORS_ONLN);

    return cores < 1 ? 1 : (int)cores;
}

void tern_os_memory_limits(struct tern_os_memory_limits *limits)
{
    static const struct tern_os_group_file files[] = {
        {"", "/sys/fs/cgroup", "memory.max"},
        {"memory", "/sys/fs/cgroup/memory", "memory.limit_in_bytes"},
    };
    struct rlimit space;
    long pages = sysconf(_SC_PHYS_PAGES);

    limits->physical = pages > 0 ? (uint64_t)pages * tern_os_page_size() : UINT64_MAX;
    limits->cgroup = UINT64_MAX;
    tern_os_each_group(files, sizeof files / sizeof files[0], least_memory, &limits->cgroup);
    limits->address_space = UINT64_MAX;
    if (getrlimit(RLIMIT_AS, &space) == 0 && space.rlim_cur != RLIM_INFINITY)
        limits->address_space = space.rlim_cur;
}

/* valgrind sets LD_PRELOAD to a library of its own, even for static programs. */
bool tern_os_in_valgrind(void)
{
    const char *preloaded = getenv("LD_PRELOAD");

    return preloaded && strstr(preloaded, "/vgpreload_");
}

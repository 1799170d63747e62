/* SPDX-License-Identifier: BSD-3-Clause */
/* What the library needs of Linux: time, futexes, memory objects, limits of the machine. */
#ifndef TERN_BASE_OS_H
#define TERN_BASE_OS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/compiler.h"

/* Monotonic time in nanoseconds. */
uint64_t tern_os_now_ns(void);

size_t tern_os_page_size(void);

/*
 * Sleeps while *word == seen, for timeout_ns at most. Works between processes that share the page.
 * May return early: the caller rechecks.
 */
void tern_os_futex_wait(const uint32_t *word, uint32_t seen, uint64_t timeout_ns);

/* Wakes everyone who sleeps on the word. */
void tern_os_futex_wake_all(const uint32_t *word);

/*
 * Asymmetric barrier: after tern_os_barrier_register() in every process that takes part,
 * tern_os_barrier_all() makes each of their running threads pass a full barrier. Both return false
 * if the system refuses (old kernel, seccomp profile); callers then rely on timed sleeps.
 */
bool tern_os_barrier_register(void);
bool tern_os_barrier_all(void);

/* The same among the threads of this process. Call the second only if the first returned true. */
bool tern_os_barrier_own_register(void);
void tern_os_barrier_own(void);

/* Makes a sparse memory object without a name: a descriptor (close-on-exec), or -errno. */
int tern_os_memfd(const char *label, uint64_t size);

/* Cores this process may use: affinity mask and control-group quota, at least 1. */
int tern_os_cores(void);

/* Cores of the running system, whether or not this process may use them. */
int tern_os_all_cores(void);

/*
 * The limits on memory of this process, in bytes; UINT64_MAX: there is none. physical: installed
 * memory; cgroup: the lowest limit of its control groups; address_space: RLIMIT_AS.
 */
struct tern_os_memory_limits {
    uint64_t physical;
    uint64_t cgroup;
    uint64_t address_space;
};
void tern_os_memory_limits(struct tern_os_memory_limits *limits);

/* The first line of a small file such as those of /sys/fs/cgroup; false if there is none. */
bool tern_os_read_line(const char *path, char *line, int size);

/* A file of control groups: of the unified hierarchy (controller "") or of one of version 1. */
struct tern_os_group_file {
    const char *controller;
    const char *root;
    const char *name;
};

/*
 * Calls visit() for each of the n files, in this process's control group and in each group above
 * it. dir is the group's folder; path is the file in it, which may not exist. One call reads the
 * list of this process's groups once.
 */
void tern_os_each_group(const struct tern_os_group_file *files, size_t n,
                        void (*visit)(const char *dir, const char *path, void *arg), void *arg);

/* The same for the limit on processes and threads, pids.max. */
void tern_os_each_pids_group(void (*visit)(const char *dir, const char *path, void *arg),
                             void *arg);

/* Whether this process runs in valgrind. */
bool tern_os_in_valgrind(void);

#endif

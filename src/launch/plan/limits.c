/* SPDX-License-Identifier: BSD-3-Clause */
/* Compares the number of PEs with the limits of the user, the control group and the kernel. */
#include "launch/plan/limits.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/limit.h"
#include "base/log.h"
#include "base/os.h"
#include "boot/job_area.h"

/* Descriptors that oshrun needs: two pipes for each PE, and its own with the inherited ones. */
#define FILES_PER_PE 2
#define FILES_OF_OSHRUN 40

/* The minimum for a process: kernel stack, page tables, a few pages of its own. */
#define MEMORY_PER_PE (UINT64_C(192) << 10)

/* The kernel does not assign process numbers below this a second time. */
#define RESERVED_PIDS 300

/*
 * For fewer PEs it is not worth the time to count all processes of the user, nor to read what the
 * kernel and the memory allow: starting a PE fails then, and the message has the limits.
 */
#define MANY_PES 64

/* A limit on processes or threads (UINT64_MAX: none), and how many there are. */
struct process_limit {
    uint64_t most;
    uint64_t used;
};

static bool read_number(const char *path, uint64_t *number)
{
    FILE *f = fopen(path, "re");
    bool ok = f && fscanf(f, "%" SCNu64, number) == 1;

    if (f)
        fclose(f);
    return ok;
}

/* Keeps the limit of a control group if it is tighter than those before. */
static void visit_group(const char *dir, const char *path, void *arg)
{
    struct process_limit *tightest = arg, here;
    char current[1700];

    if (!read_number(path, &here.most))
        return;
    snprintf(current, sizeof current, "%s/pids.current", dir);
    if (!read_number(current, &here.used))
        here.used = 0;
    if (here.used > here.most)
        here.used = here.most;
    if (here.most - here.used < tightest->most - tightest->used)
        *tightest = here;
}

static struct process_limit control_group_limit(void)
{
    struct process_limit tightest = {.most = UINT64_MAX};

    tern_os_each_pids_group(visit_group, &tightest);
    return tightest;
}

/* Counts the threads of the user. */
static uint64_t count_own_threads(void)
{
    DIR *proc = opendir("/proc");
    const struct dirent *entry;
    uint64_t n = 0;

    while (proc && (entry = readdir(proc))) {
        char path[300];
        struct stat st;

        if (!isdigit((unsigned char)entry->d_name[0]))
            continue;
        snprintf(path, sizeof path, "/proc/%s/task", entry->d_name);
        if (stat(path, &st) == 0 && st.st_uid == getuid() && st.st_nlink > 2)
            n += st.st_nlink - 2; /* each thread has a directory */
    }
    if (proc)
        closedir(proc);
    return n;
}

/* RLIMIT_NPROC does not apply to root. */
static struct process_limit user_limit(uint64_t n_pes)
{
    struct process_limit limit = {.most = UINT64_MAX};
    struct rlimit processes;

    getrlimit(RLIMIT_NPROC, &processes);
    if (getuid() == 0 || processes.rlim_cur == RLIM_INFINITY)
        return limit;
    limit.most = processes.rlim_cur;
    if (n_pes >= MANY_PES)
        limit.used = count_own_threads();
    return limit;
}

static struct process_limit kernel_limit(void)
{
    struct process_limit limit = {.most = UINT64_MAX};
    uint64_t pids, threads;
    FILE *f;

    if (!read_number("/proc/sys/kernel/pid_max", &pids) ||
        !read_number("/proc/sys/kernel/threads-max", &threads))
        return limit;
    pids -= RESERVED_PIDS;
    limit.most = pids < threads ? pids : threads;
    f = fopen("/proc/loadavg", "re");
    if (f && fscanf(f, "%*s %*s %*s %*u/%" SCNu64, &limit.used) != 1)
        limit.used = 0;
    if (f)
        fclose(f);
    return limit;
}

static int check_processes(uint64_t n_pes, struct process_limit limit, const char *name,
                           const char *remedy)
{
    if (limit.used <= limit.most && n_pes <= limit.most - limit.used)
        return 0;
    tern_error("%" PRIu64 " PEs exceed %s: %" PRIu64 " processes, of which %" PRIu64
               " exist already%s" TERN_SEE("Limits"),
               n_pes, name, limit.most, limit.used, remedy);
    return -EAGAIN;
}

/* The soft limit has been raised to the hard one. */
static int check_files(uint64_t n_pes)
{
    struct rlimit files;
    uint64_t need = n_pes * FILES_PER_PE + FILES_OF_OSHRUN;

    getrlimit(RLIMIT_NOFILE, &files);
    if (need <= files.rlim_cur)
        return 0;
    tern_error("%" PRIu64 " PEs need %" PRIu64 " descriptors and exceed the hard limit of %" PRIu64
               ": raise it (ulimit -Hn)" TERN_SEE("Limits"),
               n_pes, need, (uint64_t)files.rlim_cur);
    return -EAGAIN;
}

static int check_memory(uint64_t n_pes)
{
    struct tern_os_memory_limits limits;
    uint64_t need = n_pes * MEMORY_PER_PE;
    bool group;

    tern_os_memory_limits(&limits);
    group = limits.cgroup < limits.physical;
    if (need <= (group ? limits.cgroup : limits.physical))
        return 0;
    tern_error("%" PRIu64 " PEs need %" PRIu64 " MiB at least and exceed the %s of %" PRIu64 " MiB",
               n_pes, need >> 20, group ? "control group's memory limit" : "physical memory",
               (group ? limits.cgroup : limits.physical) >> 20);
    return -EAGAIN;
}

int tern_limits_check(uint64_t n_pes)
{
    int r;

    if (n_pes > TERN_JOB_MAX_PES) {
        tern_error("-n %" PRIu64 " exceeds the %u PEs that a machine may have", n_pes,
                   TERN_JOB_MAX_PES);
        return -EAGAIN;
    }
    r = check_files(n_pes);
    if (!r)
        r = check_processes(n_pes, user_limit(n_pes), "the user's process limit",
                            ": raise it (ulimit -u)");
    if (!r)
        r = check_processes(n_pes, control_group_limit(), "the control group's process limit",
                            ": raise it (pids.max; --pids-limit of a container)");
    if (!r && n_pes >= MANY_PES)
        r = check_processes(n_pes, kernel_limit(), "the kernel's process limit",
                            " (kernel.pid_max, kernel.threads-max)");
    if (!r && n_pes >= MANY_PES)
        r = check_memory(n_pes);
    return r;
}

/* " (ulimit -u: ..., pids.max: ..., kernel: ...)" */
static void describe(char *text, size_t size)
{
    struct process_limit user = user_limit(MANY_PES), group = control_group_limit(),
                         kernel = kernel_limit();
    char of_user[64] = "none", of_group[64] = "none";

    if (user.most != UINT64_MAX)
        snprintf(of_user, sizeof of_user, "%" PRIu64, user.most);
    if (group.most != UINT64_MAX)
        snprintf(of_group, sizeof of_group, "%" PRIu64, group.most);
    snprintf(text, size, " (ulimit -u: %s, pids.max: %s, kernel: %" PRIu64 ")", of_user, of_group,
             kernel.most);
}

void tern_limits_explain_start(int error, char text[TERN_LIMITS_START_BYTES])
{
    char limits[128];

    if (error == EAGAIN) {
        describe(limits, sizeof limits);
        snprintf(text, TERN_LIMITS_START_BYTES, "%s%s", strerror(error), limits);
    } else {
        tern_limit_explain_error(error, text);
    }
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Changes signal handling, limits and descriptors of oshrun's process, and restores them in a
 * child.
 */
#include "launch/process/inherited.h"

#include <fcntl.h>
#include <stddef.h>
#include <unistd.h>

static void raise_limit(int which, struct rlimit *before)
{
    struct rlimit raised;

    getrlimit(which, before);
    raised = (struct rlimit){.rlim_cur = before->rlim_max, .rlim_max = before->rlim_max};
    if (before->rlim_cur != before->rlim_max)
        setrlimit(which, &raised);
}

static void plug(struct tern_inherited *inherited)
{
    for (int fd = 0; fd < 3; fd++) {
        inherited->open[fd] = fcntl(fd, F_GETFD) >= 0;
        /* open() returns the lowest free number, which is fd: those below are open. */
        if (!inherited->open[fd] && open("/dev/null", O_RDWR | O_CLOEXEC) != fd)
            return;
    }
}

void tern_inherited_save(struct tern_inherited *inherited)
{
    const struct sigaction ignore = {.sa_handler = SIG_IGN}, normal = {.sa_handler = SIG_DFL};

    plug(inherited);
    sigprocmask(SIG_SETMASK, NULL, &inherited->mask);
    sigaction(SIGPIPE, &ignore, &inherited->pipe);
    sigaction(SIGXFSZ, &ignore, &inherited->file_size);
    sigaction(SIGCHLD, &normal, &inherited->child);
    raise_limit(RLIMIT_NOFILE, &inherited->max_files);
    raise_limit(RLIMIT_FSIZE, &inherited->max_file_size);
}

void tern_inherited_restore(const struct tern_inherited *inherited)
{
    setrlimit(RLIMIT_NOFILE, &inherited->max_files);
    setrlimit(RLIMIT_FSIZE, &inherited->max_file_size);
    sigaction(SIGPIPE, &inherited->pipe, NULL);
    sigaction(SIGXFSZ, &inherited->file_size, NULL);
    sigaction(SIGCHLD, &inherited->child, NULL);
    sigprocmask(SIG_SETMASK, &inherited->mask, NULL);
}

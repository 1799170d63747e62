/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Runs a program for which some system calls fail, as under a container's seccomp profile:
 *
 *     refuse ERRNO CALL[,CALL...] PROGRAM [ARGUMENT...]
 *
 * ERRNO is EPERM or ENOSYS. Exits with 77 where filters can't be installed.
 */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define MOST_CALLS 32

static const struct {
    const char *name;
    unsigned number;
} calls[] = {
    {"clone3", SYS_clone3},
    {"close_range", SYS_close_range},
    {"getrandom", SYS_getrandom},
    {"membarrier", SYS_membarrier},
    {"memfd_create", SYS_memfd_create},
    {"openat2", SYS_openat2},
    {"pidfd_open", SYS_pidfd_open},
    {"prctl", SYS_prctl},
    {"process_vm_readv", SYS_process_vm_readv},
    {"sched_setaffinity", SYS_sched_setaffinity},
    {"get_robust_list", SYS_get_robust_list},
};

static unsigned find(const char *name)
{
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++)
        if (strcmp(calls[i].name, name) == 0)
            return calls[i].number;
    fprintf(stderr, "refuse: %s is not in its list\n", name);
    _exit(95);
}

/* One look at the number, then a comparison and a verdict for each call, and "go on" at the end. */
static int install(unsigned error, char *names)
{
    struct sock_filter code[2 * MOST_CALLS + 2] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
    };
    struct sock_fprog program = {.filter = code};
    unsigned short at = 1;

    for (char *name = strtok(names, ","); name && at < 2 * MOST_CALLS; name = strtok(NULL, ",")) {
        code[at++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, find(name), 0, 1);
        code[at++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | error);
    }
    code[at++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    program.len = at;
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
           prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

int main(int argc, char **argv)
{
    if (argc < 4)
        return 95;
    if (install(strcmp(argv[1], "ENOSYS") == 0 ? ENOSYS : EPERM, argv[2]) != 0)
        return 77;
    execvp(argv[3], argv + 3);
    perror(argv[3]);
    return 127;
}

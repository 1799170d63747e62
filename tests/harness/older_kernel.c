/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Runs a program with the system calls of Linux 4.18:
 *
 *     older_kernel PROGRAM [ARGUMENT...]
 *
 * A filter answers as that kernel does: ENOSYS to system calls with higher numbers than its last
 * one, EINVAL to later options of older system calls. What a call does is still that of the running
 * kernel. Exits with 77 where filters can't be installed.
 */
#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#define LAST_CALL 334 /* rseq, of Linux 4.18 */
#elif defined(__aarch64__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#define LAST_CALL 293 /* rseq */
#endif
#define RUNTIME_CALLS 0x40000000u /* what an ABI or a debugger numbers otherwise */

#define FIRST_NEW_ADVICE 20u       /* of madvise: MADV_COLD, of Linux 5.4 */
#define LAST_NEW_ADVICE 99u        /* MADV_HWPOISON is 100 */
#define LAST_BARRIER (1u << 6)     /* of membarrier: ..._REGISTER_PRIVATE_EXPEDITED_SYNC_CORE */
#define MEMFD_HUGETLB_AND_OLDER 7u /* of memfd_create, below the size of huge pages */
#define LAST_ID_TYPE 2u            /* of waitid: P_PGID; P_PIDFD is of Linux 5.4 */
#define MREMAP_FIXED_AND_OLDER 3u  /* of mremap; MREMAP_DONTUNMAP is of Linux 5.7 */

#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define LOAD_ARGUMENT(i)                                                                           \
    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args) + 8 * (i))
#define ANSWER(error) BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (error))
#define PERMIT BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)
#define IF_NOT(condition, value, skip) BPF_JUMP(BPF_JMP | (condition) | BPF_K, (value), 0, (skip))
#define IF(condition, value, skip) BPF_JUMP(BPF_JMP | (condition) | BPF_K, (value), (skip), 0)

int main(int argc, char **argv)
{
    struct sock_filter code[] = {
        LOAD(arch),
        IF(BPF_JEQ, ARCHITECTURE, 1), /* programs of another architecture run as they are */
        PERMIT,
        LOAD(nr),
        IF_NOT(BPF_JGT, LAST_CALL, 3),
        IF(BPF_JGE, RUNTIME_CALLS, 1),
        ANSWER(ENOSYS),
        PERMIT,

        IF_NOT(BPF_JEQ, SYS_madvise, 5),
        LOAD_ARGUMENT(2),
        IF_NOT(BPF_JGE, FIRST_NEW_ADVICE, 2),
        IF(BPF_JGT, LAST_NEW_ADVICE, 1),
        ANSWER(EINVAL),
        PERMIT,

        IF_NOT(BPF_JEQ, SYS_membarrier, 4),
        LOAD_ARGUMENT(0),
        IF_NOT(BPF_JGT, LAST_BARRIER, 1),
        ANSWER(EINVAL),
        PERMIT,

        IF_NOT(BPF_JEQ, SYS_memfd_create, 5),
        LOAD_ARGUMENT(1),
        BPF_STMT(BPF_ALU | BPF_AND | BPF_K, 0x03ffffff & ~MEMFD_HUGETLB_AND_OLDER),
        IF(BPF_JEQ, 0, 1),
        ANSWER(EINVAL),
        PERMIT,

        IF_NOT(BPF_JEQ, SYS_waitid, 4),
        LOAD_ARGUMENT(0),
        IF_NOT(BPF_JGT, LAST_ID_TYPE, 1),
        ANSWER(EINVAL),
        PERMIT,

        IF_NOT(BPF_JEQ, SYS_mremap, 4),
        LOAD_ARGUMENT(3),
        IF_NOT(BPF_JGT, MREMAP_FIXED_AND_OLDER, 1),
        ANSWER(EINVAL),
        PERMIT,

        PERMIT,
    };
    struct sock_fprog program = {.filter = code, .len = sizeof code / sizeof code[0]};

    if (argc < 2)
        return 95;
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
        prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program))
        return 77;
    execvp(argv[1], argv + 1);
    perror(argv[1]);
    return 127;
}

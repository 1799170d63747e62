/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds an MPI library in the program, and relays its PMI commands. */
#include "boot/external/pmi_share.h"

#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/compiler.h"
#include "boot/external/pe_lock.h"

/* Declared as in MPI's standard; NULL if the program has no MPI. */
int MPI_Initialized(int *flag) __attribute__((weak));
int MPI_Finalized(int *flag) __attribute__((weak));

enum tern_pmi_mpi tern_pmi_share_find_mpi(void)
{
    int initialized = 0, finalized = 0;

    if (!MPI_Initialized || !MPI_Finalized)
        return TERN_PMI_NO_MPI;
    MPI_Initialized(&initialized);
    MPI_Finalized(&finalized);
    if (finalized)
        return TERN_PMI_MPI_FINALIZED;
    return initialized ? TERN_PMI_MPI_RUNS : TERN_PMI_MPI_TO_COME;
}

static int is_libpmi2(struct dl_phdr_info *info, size_t size, void *arg)
{
    const char *slash = info->dlpi_name ? strrchr(info->dlpi_name, '/') : NULL;

    return slash && strncmp(slash, "/libpmi2.so", 11) == 0;
}

/* Slurm's library speaks version 2; the one inside MPICH speaks version 1. */
int tern_pmi_share_version(void)
{
    return dl_iterate_phdr(is_libpmi2, NULL) ? 2 : 1;
}

struct share {
    struct tern_pmi_wire *wire;
    int fd;      /* Tern's end of the socket that MPI uses */
    int version; /* of PMI that MPI speaks; introductions are in the form of version 1 */
};

static TERN_PE_LOCAL struct share share;

static bool begins(const char *message, const char *start)
{
    return strncmp(message, start, strlen(start)) == 0;
}

/* Offers the wire's version, whichever MPI asks for. */
static int introduce(struct share *s, char *answer)
{
    int version = s->wire->version;

    snprintf(answer, TERN_PMI_MESSAGE_BYTES,
             "cmd=response_to_init pmi_version=%d pmi_subversion=%d rc=0", version,
             version == 1 ? 1 : 0);
    return 0;
}

/* Tern takes leave of the launcher itself, at the end of the process. */
static int take_leave(const struct share *s, char *answer)
{
    snprintf(answer, TERN_PMI_MESSAGE_BYTES, "%s",
             s->version == 1 ? "cmd=finalize_ack" : "cmd=finalize-response;rc=0;");
    return 0;
}

/* Relays one command and its answer. 0, or -errno: the other side is done. */
static int pass_on(struct share *s, char *command, char *answer)
{
    bool is_introduction;
    int r = tern_pmi_wire_receive(s->fd, s->version, command, NULL);

    if (r)
        return r;
    is_introduction = begins(command, "cmd=init ");
    if (is_introduction)
        r = introduce(s, answer);
    else if (begins(command, "cmd=finalize"))
        r = take_leave(s, answer);
    else
        r = tern_pmi_wire_ask(s->wire, command, answer);
    if (!r)
        r = tern_pmi_wire_send(s->fd, s->version, answer);
    if (is_introduction)
        s->version = s->wire->version;
    return r;
}

static void *serve(void *arg)
{
    struct share *s = arg;
    char command[TERN_PMI_MESSAGE_BYTES], answer[TERN_PMI_MESSAGE_BYTES];

    while (pass_on(s, command, answer) == 0)
        ;
    close(s->fd);
    return NULL;
}

static int start_thread(struct share *s)
{
    sigset_t all, before;
    pthread_t thread;
    int e;

    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    e = pthread_create(&thread, NULL, serve, s);
    if (!e)
        pthread_detach(thread);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return -e;
}

/* Processes that the PE starts inherit the new socket, and must not become PEs by it. */
static void claim(int fd)
{
    struct stat st;

    if (fstat(fd, &st) == 0)
        tern_pe_lock_take((uint64_t)st.st_ino);
}

int tern_pmi_share_begin(struct tern_pmi_wire *wire)
{
    int number = wire->fd, ends[2];

    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        return -errno;
    wire->fd = fcntl(number, F_DUPFD_CLOEXEC, 0);
    if (wire->fd < 0 || dup2(ends[1], number) < 0) {
        int e = errno;

        if (wire->fd >= 0)
            close(wire->fd);
        wire->fd = number;
        close(ends[0]);
        close(ends[1]);
        return -e;
    }
    close(ends[1]);
    claim(number);
    share = (struct share){.wire = wire, .fd = ends[0], .version = 1};
    return start_thread(&share);
}

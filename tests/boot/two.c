/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A program with Tern and another library that uses PMI-1, as MPICH does; MPI functions report that
 * library's state.
 *
 *     two mpi|shmem mpi|shmem      which is initialized first, and which is finalized first
 */
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static int initialized, finalized, pmi;
static char answer[2048];

__attribute__((visibility("default"))) int MPI_Initialized(int *flag);
__attribute__((visibility("default"))) int MPI_Finalized(int *flag);

int MPI_Initialized(int *flag)
{
    *flag = initialized;
    return 0;
}

int MPI_Finalized(int *flag)
{
    *flag = finalized;
    return 0;
}

/* A command, and its answer, which has to begin as said. */
static void ask(const char *command, const char *right)
{
    ssize_t n = (ssize_t)strlen(command);

    if (send(pmi, command, (size_t)n, MSG_NOSIGNAL) == n)
        n = recv(pmi, answer, sizeof answer - 1, 0);
    answer[n > 0 ? n : 0] = '\0';
    if (strncmp(answer, right, strlen(right)) == 0)
        return;
    fprintf(stderr, "the answer to %s is %s\n", command, answer);
    exit(2);
}

static void initialize(void)
{
    char command[600], kvs[300] = "";
    int rank = atoi(getenv("PMI_RANK")), right = (rank + 1) % atoi(getenv("PMI_SIZE"));

    pmi = atoi(getenv("PMI_FD"));
    ask("cmd=init pmi_version=1 pmi_subversion=1\n",
        "cmd=response_to_init pmi_version=1 pmi_subversion=1 rc=0\n");
    ask("cmd=get_my_kvsname\n", "cmd=my_kvsname kvsname=");
    sscanf(answer, "cmd=my_kvsname kvsname=%299s", kvs);
    snprintf(command, sizeof command, "cmd=put kvsname=%s key=mpi%d value=%d\n", kvs, rank, rank);
    ask(command, "cmd=put_result rc=0");
    ask("cmd=barrier_in\n", "cmd=barrier_out\n");
    snprintf(command, sizeof command, "cmd=get kvsname=%s key=mpi%d\n", kvs, right);
    ask(command, "cmd=get_result rc=0");
    if (atoi(strstr(answer, "value=") + 6) != right)
        exit(3);
    initialized = 1;
}

static void finalize(void)
{
    ask("cmd=finalize\n", "cmd=finalize_ack\n");
    close(pmi);
    finalized = 1;
}

int main(int argc, char **argv)
{
    int mpi_first = argc > 1 && strcmp(argv[1], "mpi") == 0;

    if (mpi_first)
        initialize();
    shmem_init();
    if (!mpi_first)
        initialize();
    printf("PE %d of %d\n", shmem_my_pe(), shmem_n_pes());
    if (argc > 2 && strcmp(argv[2], "mpi") == 0) {
        finalize();
        shmem_finalize();
    } else {
        shmem_finalize();
        finalize();
    }
    return 0;
}

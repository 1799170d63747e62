/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * PEs of a machine that do not come to the rendezvous, or do not answer, and processes that are no
 * PEs: with PATIENCE_S of 1. rendezvous [other-user]
 */
#include "boot/external/rendezvous.h"

#include <errno.h>
#include <grp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "base/log.h"
#include "boot/external/local.h"
#include "boot/external/machine_memory.h"
#include "boot/external/rendezvous_wire.h"
#include "unit/capture.h"

static uint64_t job; /* a name that no other run of this test has */

/* The rest of the library is not here. */
void tern_error(const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
}

void tern_warn(const char *format, ...)
{
    CHECK(!"a warning");
}

void tern_fatal(const char *routine, const char *format, ...)
{
    CHECK(!"misuse");
    abort();
}

/* PE 1 of 4, where PE 2 is on another machine. */
static void serve_nobody(void)
{
    struct tern_hello hellos[4] = {{0}};
    struct tern_rendezvous made;
    int fd = tern_rendezvous_open(job);

    CHECK(fd >= 0);
    hellos[2].place.machine = 1;
    CHECK(tern_rendezvous_serve(fd, hellos, 4, 1, 0, -1, &made) == -ETIMEDOUT);
}

static void check_missing(void)
{
    char text[1000];

    CHECK(capture(serve_nobody, text, sizeof text) == 0);
    CHECK(strcmp(text, "2 PEs on this machine did not reach start-up within 1 s (first missing: PE "
                       "0); see tern-messages(7), \"Launchers\"") == 0);
}

/* A process that has the name but makes no memory: it is stopped, say. */
static void meet(void)
{
    struct tern_rendezvous got;
    int fd = tern_rendezvous_open(job);

    CHECK(fd >= 0);
    CHECK(tern_rendezvous_meet(job, 0, 0, -1, &got) == -ETIMEDOUT);
}

static void check_silent_server(void)
{
    char text[1000];

    CHECK(capture(meet, text, sizeof text) == 0);
    CHECK(strcmp(text, "cannot connect to the other PEs on this machine: Connection timed out: the "
                       "PE that makes the shared memory does not answer") == 0);
}

/* ---- processes that are no PEs of the job ---- */

/*
 * A connection to the server as any process can make it, without the check of the server's user; -1
 * if the server has given up already.
 */
static int call_as_pe(int pe, uint64_t nonce)
{
    struct tern_rendezvous_call call = {CALL_MAGIC, pe,    getpid(),
                                        0,          nonce, tern_rendezvous_users()};
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int n = snprintf(address.sun_path + 1, sizeof address.sun_path - 1, "tern-job-%016llx",
                     (unsigned long long)job);
    int fd = socket(AF_UNIX, SOCK_SEQPACKET, 0);

    CHECK(fd >= 0);
    if (connect(fd, (struct sockaddr *)&address,
                (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)n)) != 0)
        return -1;
    /* The server may have closed the connection already. */
    send(fd, &call, sizeof call, MSG_NOSIGNAL);
    return fd;
}

/* What the server sends it: descriptors of the job's memory, or nothing. */
static bool gets_memory(int fd)
{
    struct tern_rendezvous_welcome w = {0};
    int fds[WELCOME_FDS];

    return tern_local_receive(fd, 10000, &w, sizeof w, fds, WELCOME_FDS) == 0 && fds[NODE_FD] >= 0;
}

static void become_nobody(void)
{
    CHECK(setgroups(0, NULL) == 0 && setresgid(65534, 65534, 65534) == 0 &&
          setresuid(65534, 65534, 65534) == 0);
}

enum { GIVEN = 3, REFUSED, LATE };

static int play_pe_0(uint64_t nonce, bool is_nobody)
{
    int fd;

    if (is_nobody)
        become_nobody();
    fd = call_as_pe(0, nonce);
    if (fd < 0)
        return LATE;
    return gets_memory(fd) ? GIVEN : REFUSED;
}

/* Serves PE 0, which is a child of this process. What becomes of the child's call. */
static int serve_once(uint64_t nonce, bool is_nobody)
{
    struct tern_hello hellos[2] = {{.nonce = 4711}, {.nonce = 1147}};
    struct tern_rendezvous made;
    int fd = tern_rendezvous_open(job), status;
    pid_t child;

    CHECK(fd >= 0);
    child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        close(fd);
        _exit(play_pe_0(nonce, is_nobody));
    }
    tern_rendezvous_serve(fd, hellos, 2, 1, 0, -1, &made);
    CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status));
    return WEXITSTATUS(status);
}

/* The same, again if the child came too late because the machine is busy. */
static int serve(uint64_t nonce, bool is_nobody, int expected)
{
    int result = LATE;

    for (int i = 0; i < 20 && result != expected && (result == LATE || expected == GIVEN); i++)
        result = serve_once(nonce, is_nobody);
    return result;
}

static bool gives(uint64_t nonce)
{
    return serve(nonce, false, GIVEN) == GIVEN;
}

static bool refuses(uint64_t nonce, bool is_nobody)
{
    return serve(nonce, is_nobody, REFUSED) == REFUSED;
}

/* Another job of this user does not know the number in PE 0's record. */
static void check_nonce(void)
{
    CHECK(gives(4711));
    CHECK(refuses(4712, false));
    CHECK(refuses(1147, false)); /* another PE's */
    CHECK(refuses(0, false));
}

static void meet_at_nobodys_socket(void)
{
    struct tern_rendezvous got;
    int ready[2];
    pid_t child;
    char byte;

    CHECK(pipe(ready) == 0);
    child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        become_nobody();
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        CHECK(tern_rendezvous_open(job) >= 0);
        CHECK(write(ready[1], "", 1) == 1);
        for (;;)
            pause();
    }
    CHECK(read(ready[0], &byte, 1) == 1);
    CHECK(tern_rendezvous_meet(job, 0, 4711, -1, &got) == -EPERM);
    CHECK(kill(child, SIGKILL) == 0 && waitpid(child, NULL, 0) == child);
}

/* Another user knows even the number, and can have the name of the socket at most. */
static void check_other_user(void)
{
    char text[1000];

    CHECK(gives(4711));
    CHECK(refuses(4711, true));
    CHECK(capture(meet_at_nobodys_socket, text, sizeof text) == 0);
    CHECK(strcmp(text, "cannot connect to the other PEs on this machine: Operation not permitted: "
                       "all PEs of a job must be of one user") == 0);
}

/* ---- what a PE finds in the memory that it is given ---- */

static int n_welcomes;

int __real_tern_local_send(int fd, const void *bytes, size_t n, const int *fds, int n_fds);
int __wrap_tern_local_send(int fd, const void *bytes, size_t n, const int *fds, int n_fds);

/* A PE may search for its neighbours as soon as it is welcomed: all have their numbers by then. */
int __wrap_tern_local_send(int fd, const void *bytes, size_t n, const int *fds, int n_fds)
{
    if (n_fds == WELCOME_FDS) {
        const struct tern_rendezvous_welcome *w = bytes;
        const struct tern_job_area *area = tern_machine_memory_map(fds[NODE_FD], w->head_bytes);

        CHECK(area);
        for (uint32_t i = 0; i < area->n_pes; i++)
            CHECK(area->slots[i].pid > 0);
        n_welcomes++;
    }
    return __real_tern_local_send(fd, bytes, n, fds, n_fds);
}

/* PE 1 serves: one is welcomed before it, and one after. */
static void check_pids(void)
{
    struct tern_hello hellos[3] = {{.nonce = 1}, {.nonce = 2}, {.nonce = 3}};
    struct tern_rendezvous made;
    int fd = tern_rendezvous_open(job), a = call_as_pe(0, 1), b = call_as_pe(2, 3);

    CHECK(fd >= 0 && a >= 0 && b >= 0);
    n_welcomes = 0;
    CHECK(tern_rendezvous_serve(fd, hellos, 3, 1, 0, -1, &made) == 0);
    CHECK(n_welcomes == 2 && made.area->slots[1].pid == getpid());
    CHECK(gets_memory(a) && gets_memory(b));
    close(a);
    close(b);
}

int main(int argc, char **argv)
{
    job = (uint64_t)getpid();
    if (argc > 1 && geteuid() != 0) {
        puts("skipped: only root can become another user");
        return 77;
    }
    if (argc > 1) {
        check_other_user();
        return 0;
    }
    check_missing();
    check_silent_server();
    check_nonce();
    check_pids();
    return 0;
}

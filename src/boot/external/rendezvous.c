/* SPDX-License-Identifier: BSD-3-Clause */
/* The clients of a machine's server, on a Unix socket that exists until all PEs have met. */
#include "boot/external/rendezvous.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/log.h"
#include "boot/external/local.h"
#include "boot/external/rendezvous_wire.h"

int tern_rendezvous_open(uint64_t job)
{
    return tern_local_listen("job", job);
}

uint64_t tern_rendezvous_users(void)
{
    struct stat st;

    return stat("/proc/self/ns/user", &st) == 0 ? st.st_ino : 0;
}

struct rlimit tern_rendezvous_raise_descriptors(void)
{
    struct rlimit before = {0}, most;

    getrlimit(RLIMIT_NOFILE, &before);
    most = (struct rlimit){before.rlim_max, before.rlim_max};
    setrlimit(RLIMIT_NOFILE, &most);
    return before;
}

static int take(const struct tern_rendezvous_welcome *w, const int *fds,
                struct tern_rendezvous *got)
{
    got->machine = tern_machine_memory_map(fds[MACHINE_FD], w->machine_bytes);
    got->area = tern_machine_memory_map(fds[NODE_FD], w->head_bytes);
    got->node = w->node;
    got->fd = fds[NODE_FD];
    got->images = NULL;
    close(fds[MACHINE_FD]);
    return got->machine && got->area ? 0 : -ENOMEM;
}

static int take_images(int fd, int n, struct tern_rendezvous *got)
{
    int r = 0, part;

    if (n <= 0)
        return 0;
    if (n > MOST_IMAGES)
        return -EPROTO;
    got->images = malloc((size_t)(n + TERN_LOCAL_FDS) * sizeof *got->images);
    if (!got->images)
        return -ENOMEM;
    for (int i = 0; !r && i < n; i += TERN_LOCAL_FDS)
        r = tern_local_receive(fd, SERVER_PATIENCE_S * 1000, &part, sizeof part, got->images + i,
                               TERN_LOCAL_FDS);
    return r;
}

/* Answers when the server asks for the image, until it sends the memory or a problem. */
static int receive_welcome(int fd, int image, struct tern_rendezvous_welcome *w,
                           int fds[WELCOME_FDS])
{
    const int32_t has = image >= 0;
    int r;

    do {
        r = tern_local_receive(fd, SERVER_PATIENCE_S * 1000, w, sizeof *w, fds, WELCOME_FDS);
        if (!r && w->asks)
            r = tern_local_send(fd, &has, sizeof has, &image, has);
    } while (!r && w->asks);
    return r;
}

static int be_welcomed(int fd, int image, struct tern_rendezvous_welcome *w,
                       struct tern_rendezvous *got)
{
    int fds[WELCOME_FDS];
    int r = receive_welcome(fd, image, w, fds);

    if (r || w->problem)
        return r;
    if (fds[MACHINE_FD] < 0 || fds[NODE_FD] < 0)
        return -EPROTO;
    r = take(w, fds, got);
    return r ? r : take_images(fd, w->n_images, got);
}

static void report(int error)
{
    char why[TERN_LOCAL_ERROR_BYTES];

    tern_local_explain(error, why);
    tern_error("cannot connect to the other PEs on this machine: %s%s", why,
               error == -EPERM       ? ": all PEs of a job must be of one user"
               : error == -ETIMEDOUT ? ": the PE that makes the shared memory does not answer"
                                     : "");
}

int tern_rendezvous_meet(uint64_t job, int me, uint64_t nonce, int image,
                         struct tern_rendezvous *got)
{
    struct tern_rendezvous_call call = {CALL_MAGIC, me,    getpid(),
                                        0,          nonce, tern_rendezvous_users()};
    struct rlimit descriptors = tern_rendezvous_raise_descriptors();
    struct tern_rendezvous_welcome w = {0};
    int fd = tern_local_connect("job", job, false), r = fd;

    if (fd >= 0) {
        r = tern_local_send(fd, &call, sizeof call, NULL, 0);
        if (!r)
            r = be_welcomed(fd, image, &w, got);
        close(fd);
    }
    setrlimit(RLIMIT_NOFILE, &descriptors);
    if (w.problem)
        return w.problem;
    if (r == -ECONNRESET || r == -ECONNREFUSED || r == -EPIPE)
        usleep(SERVER_GRACE_MS * 1000);
    if (r)
        report(r);
    return r;
}

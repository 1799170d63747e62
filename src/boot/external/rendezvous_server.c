/* SPDX-License-Identifier: BSD-3-Clause */
/* The server of a machine: receives its PEs, and gives each the memory that they share. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"
#include "base/os.h"
#include "boot/external/local.h"
#include "boot/external/machine_memory.h"
#include "boot/external/rendezvous.h"
#include "boot/external/rendezvous_wire.h"

#define CALL_MS 5000

/*
 * Peers open each other's images through /proc. PEs in process or user namespaces of their own
 * can't: then the server collects the images of each node and gives all of them to each of its PEs,
 * as long as there are few enough to keep open.
 */

/* A PE of this machine. */
struct guest {
    int fd;      /* its connection, or -1: it has not come yet */
    int image;   /* a descriptor, or -1 */
    int32_t pid; /* for its slot */
};

struct server {
    int fd, me, n;
    const struct tern_hello *hellos;
    struct tern_machine_memory memory;
    struct guest *guests; /* by PE */
    uint64_t users;       /* see tern_rendezvous_users() */
    bool shows_images;    /* some images can't be opened by other PEs */
    uint64_t until; /* the time by tern_os_now_ns() at which PEs that have not come are missing */
};

static bool is_expected(const struct server *s, const struct tern_rendezvous_call *call)
{
    return call->magic == CALL_MAGIC && (unsigned)call->pe < (unsigned)s->n &&
           tern_hello_are_near(s->hellos, call->pe, s->me) &&
           call->nonce == s->hellos[call->pe].nonce && s->guests[call->pe].fd < 0 &&
           call->pe != s->me;
}

static int count_missing(const struct server *s, int *first)
{
    int n = 0;

    for (int pe = s->n - 1; pe >= 0; pe--)
        if (tern_hello_are_near(s->hellos, pe, s->me) && pe != s->me && s->guests[pe].fd < 0) {
            n++;
            *first = pe;
        }
    return n;
}

/*
 * A process that is no PE of this machine may connect, too: what it sends, or does not send, is no
 * error. 0, or -errno if this process lacks memory.
 */
static int receive_guest(struct server *s, int fd, pid_t pid)
{
    struct tern_rendezvous_call call;
    int r = tern_local_receive(fd, CALL_MS, &call, sizeof call, NULL, 0);

    if (r || !is_expected(s, &call)) {
        close(fd);
    } else {
        bool seen = pid == call.pid;

        s->guests[call.pe] = (struct guest){fd, -1, seen ? pid : TERN_FOREIGN_PID(call.pid)};
        s->shows_images = s->shows_images || !seen || call.users != s->users;
    }
    return r == -ENOMEM || r == -ENOBUFS ? r : 0;
}

static int ms_left(const struct server *s)
{
    uint64_t now = tern_os_now_ns();

    return s->until > now ? (int)((s->until - now) / 1000000) : 0;
}

static void tell_missing(const struct server *s, int error)
{
    int first = -1, missing = count_missing(s, &first);
    char why[TERN_LOCAL_ERROR_BYTES];

    tern_local_explain(error, why);
    if (error == -ETIMEDOUT)
        tern_error("%d PEs on this machine did not reach start-up within %d s (first missing: PE "
                   "%d)" TERN_SEE("Launchers"),
                   missing, PATIENCE_S, first);
    else
        tern_error("%d PEs on this machine can't be met (PE %d is the first): %s", missing, first,
                   why);
}

/* One connection for each PE, until all have come. */
static int receive_all(struct server *s, int problem)
{
    int first;

    while (count_missing(s, &first) > 0) {
        pid_t pid = 0;
        int fd = tern_local_accept(s->fd, ms_left(s), &pid);

        int r = fd < 0 ? fd : receive_guest(s, fd, pid);

        if (r && !problem)
            tell_missing(s, r);
        if (r)
            return r;
    }
    return 0;
}

/*
 * The server asks one PE after the other, so that only one descriptor is under way and no limit on
 * those is reached: see tern_local_send().
 */
static int ask_for_image(struct server *s, int pe)
{
    const struct tern_rendezvous_welcome question = {.asks = 1};
    struct guest *guest = &s->guests[pe];
    int32_t has;
    int r = tern_local_send(guest->fd, &question, sizeof question, NULL, 0);

    if (!r)
        r = tern_local_receive(guest->fd, ms_left(s), &has, sizeof has, &guest->image, 1);
    if (r) {
        char why[TERN_LOCAL_ERROR_BYTES];

        tern_local_explain(r, why);
        tern_error("the static data of PE %d can't be had: %s", pe, why);
    }
    return r;
}

static int receive_images(struct server *s)
{
    int r = 0;

    for (int i = 0; !r && s->shows_images && i < s->memory.n_nodes; i++) {
        const struct tern_pe_range *pes = &s->memory.machine->nodes[s->memory.nodes[i].number];

        for (int j = 0; !r && pes->size <= MOST_IMAGES && j < pes->size; j++) {
            int pe = tern_pe_range_world(pes, j);

            if (pe != s->me)
                r = ask_for_image(s, pe);
        }
    }
    return r;
}

/* The images of a node, or 0: a node shares static data only if all of its PEs do. */
static int count_images(const struct server *s, const struct tern_machine_node *node)
{
    const struct tern_pe_range *pes = &s->memory.machine->nodes[node->number];

    if (!s->shows_images || pes->size > MOST_IMAGES)
        return 0;
    for (int i = 0; i < pes->size; i++)
        if (s->guests[tern_pe_range_world(pes, i)].image < 0)
            return 0;
    return pes->size;
}

static int send_images(const struct server *s, int fd, const struct tern_machine_node *node, int n)
{
    const struct tern_pe_range *pes = &s->memory.machine->nodes[node->number];
    int fds[TERN_LOCAL_FDS], r = 0;

    for (int i = 0, part; !r && i < n; i += part) {
        part = n - i < TERN_LOCAL_FDS ? n - i : TERN_LOCAL_FDS;
        for (int j = 0; j < part; j++)
            fds[j] = s->guests[tern_pe_range_world(pes, i + j)].image;
        r = tern_local_send(fd, &part, sizeof part, fds, part);
    }
    return r;
}

static int welcome(const struct server *s, int pe, int problem)
{
    struct tern_rendezvous_welcome w = {.problem = problem};
    const struct guest *guest = &s->guests[pe];
    const struct tern_machine_node *node;
    int fds[WELCOME_FDS], r;

    if (problem)
        return tern_local_send(guest->fd, &w, sizeof w, NULL, 0);
    node = tern_machine_memory_node_of(&s->memory, pe);
    w.node = node->number;
    w.machine_bytes = s->memory.machine_bytes;
    w.head_bytes = tern_job_head_bytes(node->area->n_pes, 0);
    w.n_images = count_images(s, node);
    fds[MACHINE_FD] = s->memory.machine_fd;
    fds[NODE_FD] = node->fd;
    r = tern_local_send(guest->fd, &w, sizeof w, fds, WELCOME_FDS);
    return r ? r : send_images(s, guest->fd, node, w.n_images);
}

/* The PE, too, gets to know that there is a problem, so that it adds no message. */
static void refuse(const struct server *s, int pe, int problem)
{
    char why[TERN_LOCAL_ERROR_BYTES];

    tern_local_explain(problem, why);
    tern_error("PE %d can't be given this machine's shared memory: %s", pe, why);
    welcome(s, pe, problem);
}

/* If a PE has ended in the meantime, the launcher sees that. */
static int welcome_all(const struct server *s, int problem)
{
    for (int pe = 0; pe < s->n; pe++) {
        int r = s->guests[pe].fd < 0 ? 0 : welcome(s, pe, problem);

        if (!r || problem || r == -EPIPE || r == -ECONNRESET)
            continue;
        refuse(s, pe, r);
        problem = r;
    }
    return problem;
}

/*
 * Before the first welcome: a PE that starts its failure detector then finds its neighbour's
 * number, whichever PE is welcomed last or is the server.
 */
static void write_pids(const struct server *s)
{
    for (int i = 0; i < s->memory.n_nodes; i++) {
        const struct tern_machine_node *node = &s->memory.nodes[i];
        const struct tern_pe_range *pes = &s->memory.machine->nodes[node->number];

        for (int j = 0; j < pes->size; j++) {
            int pe = tern_pe_range_world(pes, j);

            node->area->slots[j].pid = pe == s->me ? getpid() : s->guests[pe].pid;
        }
    }
}

static int meet_all(struct server *s, int problem)
{
    int r = receive_all(s, problem);

    if (!r && !problem)
        r = receive_images(s);
    if (!r && !problem)
        write_pids(s);
    return welcome_all(s, problem ? problem : r);
}

static int dup_closed(int fd)
{
    return fcntl(fd, F_DUPFD_CLOEXEC, 0);
}

/* Takes the server's own node and images out of what clean_up() frees. */
static int take_own(struct server *s, struct tern_rendezvous *made)
{
    struct tern_machine_node *own = tern_machine_memory_node_of(&s->memory, s->me);
    const struct tern_pe_range *pes = &s->memory.machine->nodes[own->number];
    int n = count_images(s, own);

    *made = (struct tern_rendezvous){s->memory.machine, own->area, own->number, own->fd, NULL};
    if (n > 0) {
        made->images = malloc((size_t)n * sizeof *made->images);
        if (!made->images)
            return -ENOMEM;
    }
    for (int i = 0; i < n; i++) {
        int pe = tern_pe_range_world(pes, i);

        made->images[i] = pe == s->me ? dup_closed(s->guests[pe].image) : s->guests[pe].image;
        s->guests[pe].image = -1;
    }
    own->fd = -1;
    own->area = NULL;
    s->memory.machine = NULL;
    return 0;
}

static struct guest *expect_guests(int n, int me, int image)
{
    struct guest *guests = malloc((size_t)n * sizeof *guests);

    for (int pe = 0; guests && pe < n; pe++)
        guests[pe] = (struct guest){-1, pe == me ? image : -1, 0};
    return guests;
}

static void clean_up(struct server *s)
{
    tern_machine_memory_free(&s->memory);
    for (int pe = 0; pe < s->n; pe++) {
        if (s->guests[pe].fd >= 0)
            close(s->guests[pe].fd);
        if (s->guests[pe].image >= 0 && pe != s->me) /* one of another node, or after a problem */
            close(s->guests[pe].image);
    }
    close(s->fd);
    free(s->guests);
}

int tern_rendezvous_serve(int fd, const struct tern_hello *hellos, int n, int me, int problem,
                          int image, struct tern_rendezvous *made)
{
    struct server s = {
        .fd = fd,
        .me = me,
        .n = n,
        .hellos = hellos,
        .memory = {.machine_fd = -1},
        .guests = expect_guests(n, me, image),
        .users = tern_rendezvous_users(),
        .until = tern_os_now_ns() + PATIENCE_S * UINT64_C(1000000000),
    };
    struct rlimit descriptors;

    if (!s.guests) {
        close(fd);
        return tern_limit_report(ENOMEM, "there is no list of the job's %d PEs", n);
    }
    descriptors = tern_rendezvous_raise_descriptors();
    if (!problem)
        problem = tern_machine_memory_make(&s.memory, hellos, n, me);
    problem = meet_all(&s, problem);
    if (!problem)
        problem = take_own(&s, made);
    clean_up(&s);
    setrlimit(RLIMIT_NOFILE, &descriptors);
    return problem;
}

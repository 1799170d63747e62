/* SPDX-License-Identifier: BSD-3-Clause */
/* The server of a machine and its clients, over a Unix socket that lives until all have met. */
#include "boot/external/rendezvous.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/log.h"
#include "base/os.h"
#include "boot/external/local.h"
#include "boot/nodes.h"

#define HELLO_MAGIC UINT32_C(0x6e726574)

/*
 * All PEs have passed a fence, so that they are here within moments. The server waits for them
 * first, and its message names those that are missing, so the others wait for it longer.
 */
#ifndef PATIENCE_S /* a test has less */
#define PATIENCE_S 60
#endif
#define SERVER_PATIENCE_S (PATIENCE_S * 3 / 2)
#define HELLO_MS 5000

struct hello {
    uint32_t magic;
    int32_t pe;
    int32_t pid; /* as the PE sees itself */
    uint32_t reserved;
    uint64_t nonce;
    uint64_t users; /* see user_namespace() */
};

struct welcome {
    int32_t problem; /* 0, or -errno: it has been told, and the job ends */
    int32_t asks; /* for the PE's image: nothing else is filled in, and another welcome follows */
    uint64_t machine_bytes;
    uint64_t head_bytes; /* of the node's area */
    int32_t node;
    int32_t n_images; /* of the node's PEs, which follow in order, a few a message; or 0 */
};

/* With these descriptors. */
enum { MACHINE_FD, NODE_FD, WELCOME_FDS };

int tern_rendezvous_open(uint64_t job)
{
    return tern_local_listen("job", job);
}

/* By number, 0: unknown. A process of one can't look into those of another, whatever their user. */
static uint64_t user_namespace(void)
{
    struct stat st;

    return stat("/proc/self/ns/user", &st) == 0 ? st.st_ino : 0;
}

static void *map(int fd, uint64_t bytes)
{
    void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

    return p == MAP_FAILED ? NULL : p;
}

/* ---- the server ---- */

/*
 * Peers open each other's images by way of /proc. PEs that live in process or user namespaces of
 * their own can't: then the server asks all PEs of a node for theirs and gives them to all, as long
 * as those are few enough to keep open.
 */
#define MOST_IMAGES 256

struct node {
    int number, fd;
    struct tern_job_area *area;
};

/* A PE of this machine that has come. */
struct guest {
    int fd; /* its connection, or -1 */
    int image;
    int32_t pid; /* for its slot */
};

struct server {
    int fd, me, n;
    const struct tern_hello *hellos;
    int machine_fd;
    uint64_t machine_bytes;
    struct tern_machine_area *machine;
    struct node *nodes; /* of this machine */
    int n_nodes;
    struct guest *guests; /* by PE */
    uint64_t users;       /* see user_namespace() */
    bool shows_images;    /* some of them can't be opened by others */
    uint64_t until;       /* by then all PEs have to be here, in tern_os_now_ns()'s time */
};

static bool is_here(const struct server *s, int pe)
{
    return s->hellos[pe].place.machine == s->hellos[s->me].place.machine;
}

static int lay_out(const struct server *s, struct tern_pe_range **nodes)
{
    struct tern_nodes_pe *pes = calloc((size_t)s->n, sizeof *pes);
    int n = pes ? 0 : -ENOMEM;

    for (int pe = 0; pes && pe < s->n; pe++)
        pes[pe] = s->hellos[pe].place;
    if (pes)
        n = tern_nodes_lay_out(pes, s->n, nodes);
    free(pes);
    return n;
}

static int make_machine(struct server *s, const struct tern_pe_range *nodes, int n_nodes)
{
    struct tern_machine_area *m;
    int fd;

    s->machine_bytes = tern_machine_cards_offset((uint32_t)n_nodes) +
                       (uint64_t)s->n * sizeof(struct tern_boot_card);
    fd = tern_os_memfd("tern-machine", s->machine_bytes);
    if (fd < 0)
        return fd;
    s->machine_fd = fd;
    m = s->machine = map(fd, s->machine_bytes);
    if (!m)
        return -errno;
    m->n_pes = (uint32_t)s->n;
    m->n_nodes = (uint32_t)n_nodes;
    m->memory = tern_hello_share(s->hellos, s->n);
    for (int pe = 0; pe < s->n; pe++) {
        m->n_here += is_here(s, pe);
        m->n_near += s->hellos[pe].system == s->hellos[s->me].system;
    }
    memcpy(m->nodes, nodes, (size_t)n_nodes * sizeof nodes[0]);
    return 0;
}

static int make_node(struct node *node, int number, uint32_t n_pes)
{
    struct tern_job_area *area;

    node->number = number;
    node->fd = tern_os_memfd("tern-job", TERN_IMAGES_OFFSET);
    if (node->fd < 0)
        return node->fd;
    area = map(node->fd, tern_job_head_bytes(n_pes, 0));
    if (!area)
        return -errno;
    area->version = TERN_JOB_AREA_VERSION;
    area->n_pes = n_pes;
    area->magic = TERN_JOB_AREA_MAGIC;
    node->area = area;
    return 0;
}

static int make_nodes(struct server *s)
{
    const struct tern_machine_area *m = s->machine;
    int r = 0;

    s->nodes = calloc(m->n_nodes, sizeof *s->nodes);
    if (!s->nodes)
        return -ENOMEM;
    for (uint32_t i = 0; !r && i < m->n_nodes; i++)
        if (is_here(s, m->nodes[i].start))
            r = make_node(&s->nodes[s->n_nodes++], (int)i, (uint32_t)m->nodes[i].size);
    return r;
}

static int make_all(struct server *s)
{
    struct tern_pe_range *nodes = NULL;
    int n = lay_out(s, &nodes), r = n < 0 ? n : make_machine(s, nodes, n);

    free(nodes);
    if (!r)
        r = make_nodes(s);
    if (r)
        tern_error("the memory that this machine's PEs share can't be made: %s%s", strerror(-r),
                   r == -EFBIG ? ": raise the hard limit on file sizes (ulimit -Hf unlimited)"
                               : "");
    return r;
}

static struct node *node_of(const struct server *s, int pe)
{
    for (int i = 0; i < s->n_nodes; i++)
        if (tern_pe_range_find(&s->machine->nodes[s->nodes[i].number], pe) >= 0)
            return &s->nodes[i];
    return NULL;
}

static struct tern_slot *slot_of(const struct server *s, const struct node *node, int pe)
{
    return &node->area->slots[tern_pe_range_find(&s->machine->nodes[node->number], pe)];
}

static bool is_expected(const struct server *s, const struct hello *hello)
{
    return hello->magic == HELLO_MAGIC && (unsigned)hello->pe < (unsigned)s->n &&
           is_here(s, hello->pe) && hello->nonce == s->hellos[hello->pe].nonce &&
           s->guests[hello->pe].fd < 0 && hello->pe != s->me;
}

static int count_missing(const struct server *s, int *first)
{
    int n = 0;

    for (int pe = s->n - 1; pe >= 0; pe--)
        if (is_here(s, pe) && pe != s->me && s->guests[pe].fd < 0) {
            n++;
            *first = pe;
        }
    return n;
}

/* Strangers that connect are none of our PEs, whatever they say. */
static void receive_guest(struct server *s, int fd, pid_t pid)
{
    struct hello hello;

    if (tern_local_receive(fd, HELLO_MS, &hello, sizeof hello, NULL, 0) != 0 ||
        !is_expected(s, &hello)) {
        close(fd);
    } else {
        bool seen = pid == hello.pid;

        s->guests[hello.pe] = (struct guest){fd, -1, seen ? pid : TERN_FOREIGN_PID(hello.pid)};
        s->shows_images = s->shows_images || !seen || hello.users != s->users;
    }
}

static int ms_left(const struct server *s)
{
    uint64_t now = tern_os_now_ns();

    return s->until > now ? (int)((s->until - now) / 1000000) : 0;
}

static void tell_missing(const struct server *s, int error)
{
    int first = -1, missing = count_missing(s, &first);

    if (error == -ETIMEDOUT)
        tern_error("%d PEs on this machine did not reach start-up within %d s (first missing: PE "
                   "%d)",
                   missing, PATIENCE_S, first);
    else
        tern_error("%d PEs on this machine can't be met (PE %d is the first): %s%s", missing, first,
                   strerror(-error), tern_local_remedy(error));
}

/* One connection for each PE, until all have come. */
static int receive_all(struct server *s, int problem)
{
    int first;

    while (count_missing(s, &first) > 0) {
        pid_t pid = 0;
        int fd = tern_local_accept(s->fd, ms_left(s), &pid);

        if (fd < 0 && !problem)
            tell_missing(s, fd);
        if (fd < 0)
            return fd;
        receive_guest(s, fd, pid);
    }
    return 0;
}

/*
 * One PE after the other, so that a job has one descriptor on its way and no limit on those is met:
 * see tern_local_send().
 */
static int ask_for_image(struct server *s, int pe)
{
    const struct welcome question = {.asks = 1};
    struct guest *guest = &s->guests[pe];
    int32_t has;
    int r = tern_local_send(guest->fd, &question, sizeof question, NULL, 0);

    if (!r)
        r = tern_local_receive(guest->fd, ms_left(s), &has, sizeof has, &guest->image, 1);
    if (r)
        tern_error("the static data of PE %d can't be had: %s%s", pe, strerror(-r),
                   tern_local_remedy(r));
    return r;
}

static int receive_images(struct server *s)
{
    int r = 0;

    for (int i = 0; !r && s->shows_images && i < s->n_nodes; i++) {
        const struct tern_pe_range *pes = &s->machine->nodes[s->nodes[i].number];

        for (int j = 0; !r && pes->size <= MOST_IMAGES && j < pes->size; j++) {
            int pe = tern_pe_range_world(pes, j);

            if (pe != s->me)
                r = ask_for_image(s, pe);
        }
    }
    return r;
}

/* A node shares static data if all of its PEs do. */
static int count_images(const struct server *s, const struct node *node)
{
    const struct tern_pe_range *pes = &s->machine->nodes[node->number];

    if (!s->shows_images || pes->size > MOST_IMAGES)
        return 0;
    for (int i = 0; i < pes->size; i++)
        if (s->guests[tern_pe_range_world(pes, i)].image < 0)
            return 0;
    return pes->size;
}

static int send_images(const struct server *s, int fd, const struct node *node, int n)
{
    const struct tern_pe_range *pes = &s->machine->nodes[node->number];
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
    struct welcome w = {.problem = problem};
    const struct guest *guest = &s->guests[pe];
    const struct node *node;
    int fds[WELCOME_FDS], r;

    if (problem)
        return tern_local_send(guest->fd, &w, sizeof w, NULL, 0);
    node = node_of(s, pe);
    slot_of(s, node, pe)->pid = guest->pid;
    w.node = node->number;
    w.machine_bytes = s->machine_bytes;
    w.head_bytes = tern_job_head_bytes(node->area->n_pes, 0);
    w.n_images = count_images(s, node);
    fds[MACHINE_FD] = s->machine_fd;
    fds[NODE_FD] = node->fd;
    r = tern_local_send(guest->fd, &w, sizeof w, fds, WELCOME_FDS);
    return r ? r : send_images(s, guest->fd, node, w.n_images);
}

/* A PE that has gone in the meantime is none of this PE's business: the launcher sees its end. */
static int welcome_all(const struct server *s, int problem)
{
    for (int pe = 0; pe < s->n; pe++) {
        int r = s->guests[pe].fd < 0 ? 0 : welcome(s, pe, problem);

        if (!r || problem || r == -EPIPE || r == -ECONNRESET)
            continue;
        tern_error("PE %d can't be given this machine's shared memory: %s%s", pe, strerror(-r),
                   tern_local_remedy(r));
        problem = r;
    }
    return problem;
}

static int meet_all(struct server *s, int problem)
{
    int r = receive_all(s, problem);

    if (!r && !problem)
        r = receive_images(s);
    return welcome_all(s, problem ? problem : r);
}

static int dup_closed(int fd)
{
    return fcntl(fd, F_DUPFD_CLOEXEC, 0);
}

/* Keeps its own node only, and the images' descriptors. */
static int take_own(struct server *s, struct tern_rendezvous *made)
{
    struct node *own = node_of(s, s->me);
    const struct tern_pe_range *pes = &s->machine->nodes[own->number];
    int n = count_images(s, own);

    *made = (struct tern_rendezvous){s->machine, own->area, own->number, own->fd, NULL};
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
    slot_of(s, own, s->me)->pid = getpid();
    own->fd = -1;
    own->area = NULL;
    s->machine = NULL;
    return 0;
}

static void clean_up(struct server *s)
{
    for (int i = 0; i < s->n_nodes; i++) {
        if (s->nodes[i].area)
            munmap(s->nodes[i].area, tern_job_head_bytes(s->nodes[i].area->n_pes, 0));
        if (s->nodes[i].fd >= 0)
            close(s->nodes[i].fd);
    }
    for (int pe = 0; pe < s->n; pe++) {
        if (s->guests[pe].fd >= 0)
            close(s->guests[pe].fd);
        if (s->guests[pe].image >= 0 && pe != s->me) /* one of another node, or after a problem */
            close(s->guests[pe].image);
    }
    if (s->machine)
        munmap(s->machine, s->machine_bytes);
    if (s->machine_fd >= 0)
        close(s->machine_fd);
    close(s->fd);
    free(s->nodes);
    free(s->guests);
}

static struct guest *expect_guests(int n, int me, int image)
{
    struct guest *guests = malloc((size_t)n * sizeof *guests);

    for (int pe = 0; guests && pe < n; pe++)
        guests[pe] = (struct guest){-1, pe == me ? image : -1, 0};
    return guests;
}

/*
 * For a moment a PE needs up to two descriptors for each PE of the machine, and may have as many of
 * them on their way as it may have open ones: as many as the user may have.
 */
static struct rlimit raise_descriptors(void)
{
    struct rlimit before = {0}, most;

    getrlimit(RLIMIT_NOFILE, &before);
    most = (struct rlimit){before.rlim_max, before.rlim_max};
    setrlimit(RLIMIT_NOFILE, &most);
    return before;
}

int tern_rendezvous_serve(int fd, const struct tern_hello *hellos, int n, int me, int problem,
                          int image, struct tern_rendezvous *made)
{
    struct server s = {
        .fd = fd,
        .me = me,
        .n = n,
        .hellos = hellos,
        .machine_fd = -1,
        .guests = expect_guests(n, me, image),
        .users = user_namespace(),
        .until = tern_os_now_ns() + PATIENCE_S * UINT64_C(1000000000),
    };
    struct rlimit descriptors;

    if (!s.guests) {
        tern_error("there is no memory for a list of the job's %d PEs", n);
        close(fd);
        return -ENOMEM;
    }
    descriptors = raise_descriptors();
    if (!problem)
        problem = make_all(&s);
    problem = meet_all(&s, problem);
    if (!problem)
        problem = take_own(&s, made);
    clean_up(&s);
    setrlimit(RLIMIT_NOFILE, &descriptors);
    return problem;
}

/* ---- its clients ---- */

static int take(const struct welcome *w, const int *fds, struct tern_rendezvous *got)
{
    got->machine = map(fds[MACHINE_FD], w->machine_bytes);
    got->area = map(fds[NODE_FD], w->head_bytes);
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

/* The server's word, after its question for the image. */
static int receive_welcome(int fd, int image, struct welcome *w, int fds[WELCOME_FDS])
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

static int be_welcomed(int fd, int image, struct welcome *w, struct tern_rendezvous *got)
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

static const char *remedy_of(int error)
{
    if (error == -EPERM)
        return ": all PEs of a job must be of one user";
    if (error == -ETIMEDOUT)
        return ": the PE that makes the shared memory does not answer";
    return tern_local_remedy(error);
}

int tern_rendezvous_meet(uint64_t job, int me, uint64_t nonce, int image,
                         struct tern_rendezvous *got)
{
    struct hello hello = {HELLO_MAGIC, me, getpid(), 0, nonce, user_namespace()};
    struct rlimit descriptors = raise_descriptors();
    struct welcome w = {0};
    int fd = tern_local_connect("job", job, false), r = fd;

    if (fd >= 0) {
        r = tern_local_send(fd, &hello, sizeof hello, NULL, 0);
        if (!r)
            r = be_welcomed(fd, image, &w, got);
        close(fd);
    }
    setrlimit(RLIMIT_NOFILE, &descriptors);
    if (w.problem)
        return w.problem;
    if (r)
        tern_error("cannot connect to the other PEs on this machine: %s%s", strerror(-r),
                   remedy_of(r));
    return r;
}

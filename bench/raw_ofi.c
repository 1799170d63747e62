/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What libfabric does by itself between two processes of this machine: the limits that
 * bench/network.c and bench/gathering.py are compared with. Prints rows as bench/row.h says.
 * Usage: raw_ofi [PROVIDER [ROW ... | sizes]].
 * RAW_OFI_NETWORK, if set, is the file of a network namespace for process 1: the way then leads
 * from host to host, else over loopback.
 *
 * Process 0 measures; process 1 reads its completion queue all the time, as a PE does inside a
 * call. Who waits reads the queue and yields after every LOOKS misses, as Tern does. Puts are
 * writes with FI_DELIVERY_COMPLETE.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <rdma/fabric.h>
#include <rdma/fi_cm.h>
#include <rdma/fi_domain.h>
#include <rdma/fi_endpoint.h>
#include <rdma/fi_errno.h>
#include <rdma/fi_rma.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cores.h"
#include "row.h"

#define LOOKS 32

static struct shared {
    unsigned char address[2][128];
    uint64_t base[2], key[2];
    uint32_t ready, stop;
} * shared;

static int me;
static struct fi_info *info;
static struct fid_domain *domain;
static struct fid_ep *ep;
static struct fid_cq *cq;
static struct fid_mr *mr;
static void *desc;
static fi_addr_t peer;
static unsigned char *memory;
static uint64_t remote, key;
struct frame_buffer;

static void fail(const char *what, ssize_t r)
{
    fprintf(stderr, "raw_ofi: %s: %s\n", what, fi_strerror((int)-r));
    exit(1);
}

#define TRY(call)                                                                                  \
    do {                                                                                           \
        ssize_t result = (call);                                                                   \
        if (result < 0)                                                                            \
            fail(#call, result);                                                                   \
    } while (0)

/* ---- set-up ---- */

static void enter_network(const char *path)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);

    if (fd < 0 || setns(fd, CLONE_NEWNET) != 0)
        fail(path, -errno);
    close(fd);
}

static void choose(const char *provider, bool on_loopback)
{
    struct fi_info *hints = fi_allocinfo(), *all, *i;

    hints->caps = FI_MSG | FI_RMA;
    hints->mode = FI_CONTEXT | FI_CONTEXT2;
    hints->ep_attr->type = FI_EP_RDM;
    hints->domain_attr->mr_mode =
        FI_MR_LOCAL | FI_MR_VIRT_ADDR | FI_MR_ALLOCATED | FI_MR_PROV_KEY | FI_MR_ENDPOINT;
    hints->domain_attr->resource_mgmt = FI_RM_ENABLED;
    hints->fabric_attr->prov_name = strdup(provider);
    TRY(fi_getinfo(FI_VERSION(1, 14), NULL, NULL, 0, hints, &all));
    info = all;
    for (i = all; i; i = i->next) {
        struct sockaddr_in *address = i->src_addr;

        if (i->addr_format == FI_SOCKADDR_IN &&
            (ntohl(address->sin_addr.s_addr) == INADDR_LOOPBACK) == on_loopback)
            break;
    }
    info = fi_dupinfo(i ? i : all);
    fi_freeinfo(all);
    fi_freeinfo(hints);
}

static void open_all(void)
{
    struct fi_cq_attr cq_attr = {.format = FI_CQ_FORMAT_DATA, .wait_obj = FI_WAIT_FD};
    struct fi_av_attr av_attr = {.type = info->domain_attr->av_type};
    struct fid_fabric *fabric;
    struct fid_av *av;
    size_t length = sizeof shared->address[0];

    TRY(fi_fabric(info->fabric_attr, &fabric, NULL));
    TRY(fi_domain(fabric, info, &domain, NULL));
    TRY(fi_av_open(domain, &av_attr, &av, NULL));
    TRY(fi_cq_open(domain, &cq_attr, &cq, NULL));
    TRY(fi_endpoint(domain, info, &ep, NULL));
    TRY(fi_ep_bind(ep, &av->fid, 0));
    TRY(fi_ep_bind(ep, &cq->fid, FI_TRANSMIT | FI_RECV));
    TRY(fi_enable(ep));
    memory = aligned_alloc(4096, (2 * WINDOW) * MIB);
    memset(memory, me, 2 * WINDOW * MIB);
    TRY(fi_mr_reg(domain, memory, 2 * WINDOW * MIB,
                  FI_REMOTE_READ | FI_REMOTE_WRITE | FI_READ | FI_WRITE | FI_SEND | FI_RECV, 0, 1,
                  0, &mr, NULL));
    if (info->domain_attr->mr_mode & FI_MR_ENDPOINT) {
        TRY(fi_mr_bind(mr, &ep->fid, 0));
        TRY(fi_mr_enable(mr));
    }
    desc = fi_mr_desc(mr);
    TRY(fi_getname(&ep->fid, shared->address[me], &length));
    shared->base[me] =
        info->domain_attr->mr_mode & FI_MR_VIRT_ADDR ? (uint64_t)(uintptr_t)memory : 0;
    shared->key[me] = fi_mr_key(mr);
    __atomic_fetch_add(&shared->ready, 1, __ATOMIC_ACQ_REL);
    while (__atomic_load_n(&shared->ready, __ATOMIC_ACQUIRE) < 2)
        sched_yield();
    if (fi_av_insert(av, shared->address[1 - me], 1, &peer, 0, NULL) != 1)
        fail("fi_av_insert", -FI_EINVAL);
    remote = shared->base[1 - me];
    key = shared->key[1 - me];
}

/* ---- operations ---- */

static struct fi_context2 contexts[RATE];

static void take_frame(struct frame_buffer *buffer);

/* The puts and gets that were completed. */
static uint32_t read_queue(void)
{
    struct fi_cq_data_entry entries[16];
    ssize_t n = fi_cq_read(cq, entries, 16);
    static uint32_t misses;
    uint32_t done = 0;

    misses = n == -FI_EAGAIN ? misses + 1 : 0;
    if (misses == LOOKS) {
        misses = 0;
        sched_yield();
    }
    if (n < 0 && n != -FI_EAGAIN)
        fail("fi_cq_read", n);
    for (ssize_t i = 0; i < n; i++) {
        if (entries[i].flags & FI_RECV)
            take_frame(entries[i].op_context);
        else if (!(entries[i].flags & FI_SEND))
            done++;
    }
    return done;
}

static void complete(uint32_t n)
{
    while (n)
        n -= read_queue();
}

/*
 * Starts one between an offset of this process's memory and one of the other's; completions that
 * had to be read to make room are returned.
 */
static uint32_t start(int write, size_t bytes, size_t here, size_t there, void *context)
{
    struct iovec iov = {memory + here, bytes};
    struct fi_rma_iov target = {remote + there, bytes, key};
    struct fi_msg_rma msg = {
        .msg_iov = &iov,
        .desc = &desc,
        .iov_count = 1,
        .addr = peer,
        .rma_iov = &target,
        .rma_iov_count = 1,
        .context = context,
    };
    uint32_t done = 0;
    ssize_t r;

    while ((r = write ? fi_writemsg(ep, &msg, FI_COMPLETION | FI_DELIVERY_COMPLETE)
                      : fi_readmsg(ep, &msg, FI_COMPLETION)) == -FI_EAGAIN)
        done += read_queue();
    TRY(r);
    return done;
}

static void one(int write)
{
    complete(1 - start(write, 8, 0, 0, &contexts[0]));
}

static void window(int write, uint32_t n, size_t bytes)
{
    uint32_t left = n;

    for (uint32_t i = 0; i < n; i++)
        left -= start(write, bytes, i * bytes, i * bytes, &contexts[i]);
    complete(left);
}

/* ---- small operations in frames, which the other process carries out ---- */

#define FRAME 8192
#define FRAMES 64              /* receive buffers, and frames under way at most */
#define FRAMES_AHEAD 8         /* frames of many operations under way at most */
#define FRAMES_AT (MIB + 4096) /* in memory: receive buffers, then send buffers */
#define WORDS_AT (8 * MIB)

/* What an operation does with a word, or with the bytes from it on. */
enum kind { ADD, PUT, GET, FETCH_ADD, SIGNAL };

struct frame {
    uint32_t kind, n, answers, bytes; /* bytes: of a PUT */
    uint64_t body[];
};

struct frame_buffer {
    struct fi_context2 context; /* first: the provider returns its address */
    struct frame *frame;
};

static struct frame_buffer receive_buffers[2 * FRAMES], send_buffers[2 * FRAMES];
static uint32_t answered_frames;
static uint64_t *results; /* where those of the next answer go */

static uint64_t *word_at(uint64_t index)
{
    return (uint64_t *)(memory + WORDS_AT) + index;
}

static void post_frame_buffer(struct frame_buffer *buffer)
{
    ssize_t r;

    while ((r = fi_recv(ep, buffer->frame, FRAME, desc, FI_ADDR_UNSPEC, buffer)) == -FI_EAGAIN)
        fi_cq_read(cq, NULL, 0);
    TRY(r);
}

static void prepare_frames(void)
{
    unsigned char *at = memory + FRAMES_AT;

    for (int i = 0; i < 2 * FRAMES; i++, at += 2 * (size_t)FRAME) {
        receive_buffers[i].frame = (struct frame *)at;
        send_buffers[i].frame = (struct frame *)(at + FRAME);
        post_frame_buffer(&receive_buffers[i]);
    }
}

/* Buffers are used in turn. There are twice as many as frames under way, so the next one is free.
 */
static struct frame *next_frame(void)
{
    static uint32_t turn;

    return send_buffers[turn++ % (2 * FRAMES)].frame;
}

static void send_frame(struct frame *frame, size_t bytes)
{
    static struct fi_context2 sends[4 * FRAMES];
    static uint32_t turn;
    ssize_t r;

    while ((r = fi_send(ep, frame, bytes, desc, peer, &sends[turn % (4 * FRAMES)])) == -FI_EAGAIN)
        fi_cq_read(cq, NULL, 0);
    TRY(r);
    turn++;
}

/* Carries out an operation; returns the words that it takes in the frame. */
static size_t carry_out(const struct frame *frame, const uint64_t *op, struct frame *answer)
{
    switch (frame->kind) {
    case ADD:
        __atomic_fetch_add(word_at(op[0]), op[1], __ATOMIC_ACQ_REL);
        return 2;
    case PUT:
        memcpy(word_at(op[0]), op + 1, frame->bytes);
        return 1 + (frame->bytes + 7) / 8;
    case GET:
        answer->body[answer->n++] = *word_at(op[0]);
        return 1;
    case FETCH_ADD:
        answer->body[answer->n++] = __atomic_fetch_add(word_at(op[0]), op[1], __ATOMIC_ACQ_REL);
        return 2;
    case SIGNAL:
        *word_at(op[0]) = op[1];
        __atomic_store_n(word_at(op[2]), op[3], __ATOMIC_RELEASE);
        return 4;
    }
    return 1;
}

static void answer_frame(const struct frame *frame)
{
    struct frame *answer = next_frame();
    const uint64_t *op = frame->body;

    *answer = (struct frame){.answers = 1};
    for (uint32_t i = 0; i < frame->n; i++)
        op += carry_out(frame, op, answer);
    send_frame(answer, sizeof *answer + answer->n * sizeof(uint64_t));
}

static void take_frame(struct frame_buffer *buffer)
{
    const struct frame *frame = buffer->frame;

    if (frame->answers) {
        for (uint32_t i = 0; i < frame->n; i++)
            *results++ = frame->body[i];
        answered_frames++;
    } else {
        answer_frame(frame);
    }
    post_frame_buffer(buffer);
}

/* Random words, of 1 Mi. */
static uint64_t draw(void)
{
    static uint64_t x = 88172645463325252u;

    x ^= x << 13;
    x ^= x >> 7;
    x ^= x << 17;
    return x % RANDOM_WORDS;
}

static size_t add_operation(enum kind kind, size_t bytes, uint64_t *op)
{
    op[0] = draw();
    switch (kind) {
    case ADD:
    case FETCH_ADD:
        op[1] = 1;
        return 2;
    case PUT:
        memcpy(op + 1, memory, bytes);
        return 1 + (bytes + 7) / 8;
    case GET:
        return 1;
    case SIGNAL:
        op[1] = 1;
        op[2] = RANDOM_WORDS;
        op[3] = 1;
        return 4;
    }
    return 1;
}

/* n operations; `most` in a frame, `ahead` frames under way; until all are answered. */
static void stream(enum kind kind, size_t bytes, uint32_t n, uint32_t most, uint32_t ahead)
{
    static uint64_t fetched[SMALL];
    uint32_t sent = 0;

    answered_frames = 0;
    results = fetched;
    for (uint32_t done = 0; done < n;) {
        struct frame *frame = next_frame();
        uint64_t *op = frame->body, *end = (uint64_t *)((char *)frame + FRAME - bytes - 32);

        *frame = (struct frame){.kind = kind, .bytes = (uint32_t)bytes};
        while (frame->n < most && op <= end && done < n) {
            op += add_operation(kind, bytes, op);
            frame->n++;
            done++;
        }
        while (sent - answered_frames >= ahead)
            read_queue();
        send_frame(frame, (size_t)((char *)op - (char *)frame));
        sent++;
    }
    while (sent != answered_frames)
        read_queue();
}

/*
 * One message for each operation, RATE of them: the provider's write or read where it has one, as
 * this is faster than a message that the receiver carries out and answers.
 */
static void send_singly(enum kind kind, size_t bytes)
{
    uint32_t left = RATE;

    if (kind != PUT && kind != GET) {
        stream(kind, bytes, RATE, 1, FRAMES);
        return;
    }
    for (uint32_t i = 0; i < RATE; i++)
        left -= start(kind == PUT, bytes, i * bytes, WORDS_AT + draw() * 8, &contexts[i]);
    complete(left);
}

static void send_gathered(enum kind kind, size_t bytes)
{
    stream(kind, bytes, SMALL, SMALL, FRAMES_AHEAD);
}

#define SMALL_ROWS(name, kind, bytes)                                                              \
    static void name##_single(void)                                                                \
    {                                                                                              \
        send_singly(kind, bytes);                                                                  \
    }                                                                                              \
    static void name##_by_hand(void)                                                               \
    {                                                                                              \
        send_gathered(kind, bytes);                                                                \
    }

static size_t sized; /* bytes of the puts of one row */

static void sized_single(void)
{
    send_singly(PUT, sized);
}

static void sized_by_hand(void)
{
    send_gathered(PUT, sized);
}

static void round_trip(void)
{
    struct frame *frame = next_frame();

    answered_frames = 0;
    results = NULL;
    *frame = (struct frame){0};
    send_frame(frame, sizeof *frame);
    while (!answered_frames)
        read_queue();
}

SMALL_ROWS(atomic_add, ADD, 8)
SMALL_ROWS(p_8B, PUT, 8)
SMALL_ROWS(put_nbi_64B, PUT, 64)
SMALL_ROWS(get_nbi_8B, GET, 8)
SMALL_ROWS(fetch_add_nbi, FETCH_ADD, 8)
SMALL_ROWS(many_signals, SIGNAL, 8)

/* ---- rows ---- */

static void put_8B(void)
{
    one(1);
}

static void get_8B(void)
{
    one(0);
}

static void put_1MiB(void)
{
    window(1, WINDOW, MIB);
}

static void get_1MiB(void)
{
    window(0, WINDOW, MIB);
}

static void put_nbi_8B(void)
{
    window(1, RATE, 8);
}

static const struct row rows[] = {
    LATENCY(put_8B),
    LATENCY(get_8B),
    BANDWIDTH(put_1MiB),
    BANDWIDTH(get_1MiB),
    MESSAGE_RATE(put_nbi_8B),
    LATENCY(round_trip),
    SINGLE_RATE(atomic_add_single),
    SMALL_RATE(atomic_add_by_hand),
    SINGLE_RATE(p_8B_single),
    SMALL_RATE(p_8B_by_hand),
    SINGLE_RATE(put_nbi_64B_single),
    SMALL_RATE(put_nbi_64B_by_hand),
    SINGLE_RATE(get_nbi_8B_single),
    SMALL_RATE(get_nbi_8B_by_hand),
    SINGLE_RATE(fetch_add_nbi_single),
    SMALL_RATE(fetch_add_nbi_by_hand),
    SINGLE_RATE(many_signals_single),
    SMALL_RATE(many_signals_by_hand),
};

static void measure_sized(const char *edition, void (*body)(void), double work)
{
    char name[40];
    struct row row = {name, body, SIZED_BATCHES, 1, work, "op/s"};

    snprintf(name, sizeof name, "size_%zu_%s", sized, edition);
    row_measure(&row);
}

/* The rate against the size. */
static void measure_sizes(void)
{
    for (sized = 1; sized <= LARGEST_SIZED; sized *= 2) {
        measure_sized("single", sized_single, RATE);
        measure_sized("by_hand", sized_by_hand, SMALL);
    }
}

/* The rows that the words name, or all. */
static void measure(char **words)
{
    if (*words && !strcmp(*words, "sizes")) {
        measure_sizes();
        return;
    }
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++)
        if (row_wanted(rows[r].name, words))
            row_measure(&rows[r]);
}

/* Answers frames and lets the provider serve the rest. */
static void serve(void)
{
    while (!__atomic_load_n(&shared->stop, __ATOMIC_ACQUIRE))
        read_queue();
}

int main(int argc, char **argv)
{
    const char *network = getenv("RAW_OFI_NETWORK");
    pid_t other;
    int status;

    shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    other = fork();
    me = other == 0;
    if (me)
        prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (me && network)
        enter_network(network);
    choose(argc > 1 ? argv[1] : "tcp;ofi_rxm", !network);
    open_all();
    prepare_frames();
    take_core(me, 2);
    if (me) {
        serve();
        _exit(0);
    }
    measure(argv + (argc > 2 ? 2 : argc));
    __atomic_store_n(&shared->stop, 1, __ATOMIC_RELEASE);
    waitpid(other, &status, 0);
    return status != 0;
}

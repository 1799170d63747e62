/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What processes can do that break the protocol. PE 1 sends PE 0 frames that no PE sends, as a
 * process without PE 0's card or as one with it. PE 0's memory has to stay as it is, and PE 0 has
 * to serve on. intruder SUBJECT [ACCESS]
 */
#include <netinet/in.h>
#include <rdma/fi_endpoint.h>
#include <rdma/fi_errno.h>
#include <rdma/fi_rma.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

#include "net/ofi/address.h"
#include "net/ofi/card.h"
#include "net/ofi/endpoint.h"
#include "net/ofi/engine.h"
#include "net/ofi/message.h"
#include "net/ofi/op.h"
#include "net/ofi/peer.h"
#include "net/rig.h"

enum { TARGET, INTRUDER, WITNESS, PES };

/* ---- frames as they come ---- */

/* Operations of this file that ended with an error. */
static uint32_t failed;

static void release(struct ofi_op *op, int error)
{
    failed += error != 0;
    ofi_op_release(op);
}

/* The lock is held, but for progress. */
static void await_room(ssize_t r)
{
    CHECK(r == -FI_EAGAIN, "the provider refuses: %s", fi_strerror((int)-r));
    pthread_mutex_unlock(&OFI_DEFAULT->lock);
    rig_net->progress();
    pthread_mutex_lock(&OFI_DEFAULT->lock);
}

/* The lock is held. op has its bytes. */
static void send_op(struct ofi_op *op)
{
    fi_addr_t addr;
    ssize_t r;

    CHECK(ofi_peer_reach(TARGET, &addr), "PE 0 is lost");
    while ((r = fi_send(OFI_DEFAULT->ep, ofi_op_bytes(op), op->bytes, ofi_op_desc(op), addr, op)))
        await_room(r);
}

static void send_bytes(const void *bytes, size_t n)
{
    struct ofi_op *op;

    pthread_mutex_lock(&OFI_DEFAULT->lock);
    op = ofi_op_take_more(OFI_DEFAULT, release, TARGET);
    ofi_op_buffer_more(op);
    memcpy(ofi_op_bytes(op), bytes, n);
    op->bytes = (uint32_t)n;
    send_op(op);
    pthread_mutex_unlock(&OFI_DEFAULT->lock);
}

static void send_frame(struct ofi_frame head, const void *body, size_t bytes)
{
    static unsigned char frame[OFI_BUFFER];

    memcpy(frame, &head, sizeof head);
    if (bytes)
        memcpy(frame + sizeof head, body, bytes);
    send_bytes(frame, sizeof head + bytes);
}

/* The head of a frame that PE 0 would accept. take: the next frame gets the next number. */
static struct ofi_frame next_head(unsigned kind, bool take)
{
    struct ofi_frame head = {
        .token = ofi_card_token(TARGET), .from = (uint32_t)rig_pe, .kind = (uint8_t)kind};

    pthread_mutex_lock(&OFI_DEFAULT->lock);
    head.number = ofi.peers[TARGET].sent;
    ofi.peers[TARGET].sent += take;
    pthread_mutex_unlock(&OFI_DEFAULT->lock);
    return head;
}

/* ---- what PE 0 sees ---- */

static uint32_t taken, last_taken; /* messages, and the number in the last one */

static void take_message(int from, const void *message, size_t bytes)
{
    CHECK(bytes == sizeof last_taken, "a message of %zu bytes", bytes);
    memcpy(&last_taken, message, sizeof last_taken);
    __atomic_fetch_add(&taken, 1, __ATOMIC_RELEASE);
}

static void await_messages(uint32_t n)
{
    while (tern_load_acquire(&taken) < n)
        rig_net->progress();
}

static void send_message(uint32_t number)
{
    rig_net->send(TARGET, &number, sizeof number);
}

/* What comes after this call finds that nothing has changed: see check_memory(). */
static void fill_memory(void)
{
    memset(rig_heap, 0xa5, RIG_HEAP);
    memset(rig_static, 0x5a, RIG_STATIC);
    rig_meet();
}

static void check_bytes(const unsigned char *at, size_t bytes, unsigned char value)
{
    for (size_t i = 0; i < bytes; i++)
        CHECK(at[i] == value, "byte %zu of PE %d is %#x", i, rig_pe, at[i]);
}

static void check_memory(void)
{
    check_bytes(rig_heap, RIG_HEAP, 0xa5);
    check_bytes(rig_static, RIG_STATIC, 0x5a);
    CHECK(rig_lost == 0, "PE %u was lost", rig_lost_pe);
}

/* PE 0 still carries out what it is asked for, in turn. All PEs call it; it changes memory. */
static void check_service(void)
{
    uint64_t old = 0, *word = (uint64_t *)rig_heap;

    rig_meet();
    *word = 7;
    rig_meet();
    if (rig_pe != TARGET)
        rig_net->amo(NULL, TERN_NET_ADD, 8, rig_offset(word), 1, 0, &old, TARGET);
    CHECK(rig_pe == TARGET || old == 7 || old == 8, "the word was %lu", old);
    rig_meet();
    CHECK(rig_pe != TARGET || *word == 9, "the word is %lu", *word);
}

/* ---- without the card ---- */

/* Each bit of the token counts. The last message is a real one, so the others came before. */
static void test_token(void)
{
    uint32_t forged = 666;

    rig_received = take_message;
    rig_meet();
    if (rig_pe == INTRUDER) {
        for (int bit = 0; bit < 64; bit++) {
            struct ofi_frame head = next_head(OFI_FRAME_MESSAGE, false);

            head.token ^= UINT64_C(1) << bit;
            send_frame(head, &forged, sizeof forged);
        }
        send_message(1);
    }
    if (rig_pe == TARGET) {
        await_messages(1);
        CHECK(taken == 1 && last_taken == 1, "%u messages, the last is %u", taken, last_taken);
    }
    check_service();
}

/* Tokens are random: no two PEs have the same, nor halves of one. */
static void test_tokens_differ(void)
{
    for (int a = 0; a < rig_n_pes; a++)
        for (int b = 0; b < a; b++) {
            uint64_t differ = ofi_card_token(a) ^ ofi_card_token(b);

            CHECK(differ >> 32 && (uint32_t)differ, "tokens of PE %d and %d differ by %#lx", a, b,
                  differ);
        }
}

/* A message that is longer than all of a job's needs no token to be refused. */
static void test_too_long(void)
{
    static unsigned char bytes[OFI_BUFFER + 5000];
    struct ofi_op *op;

    fill_memory();
    if (rig_pe == INTRUDER) {
        pthread_mutex_lock(&OFI_DEFAULT->lock);
        op = ofi_op_take_more(OFI_DEFAULT, release, TARGET);
        for (fi_addr_t addr; ofi_peer_reach(TARGET, &addr);) {
            ssize_t r = fi_send(OFI_DEFAULT->ep, bytes, sizeof bytes, NULL, addr, op);

            if (!r)
                break;
            await_room(r);
        }
        pthread_mutex_unlock(&OFI_DEFAULT->lock);
    }
    rig_meet();
    if (rig_pe == TARGET)
        check_memory();
    check_service();
}

/* Anything but libfabric's protocol, at the port where PE 0 listens. */
static void test_garbage(void)
{
    enum { CALLS = 20 };
    unsigned char garbage[4096];
    int fds[CALLS];

    fill_memory();
    if (rig_pe == INTRUDER && ofi_address_is_ip(ofi.info->addr_format)) {
        struct sockaddr_storage address = {0};
        bool v6 = ofi.info->addr_format == FI_SOCKADDR_IN6;
        socklen_t bytes = v6 ? sizeof(struct sockaddr_in6) : sizeof(struct sockaddr_in);

        memcpy(&address, ofi_card_address(TARGET), bytes);
        for (int i = 0; i < CALLS; i++) {
            size_t n = i % 4 ? sizeof garbage >> i % 12 : 0; /* some say nothing */

            fds[i] = socket(address.ss_family, SOCK_STREAM, 0);
            CHECK(fds[i] >= 0, "no socket");
            CHECK(connect(fds[i], (struct sockaddr *)&address, bytes) == 0, "PE 0 does not listen");
            CHECK(getrandom(garbage, n, 0) == (ssize_t)n, "no random bytes");
            CHECK(send(fds[i], garbage, n, MSG_NOSIGNAL) == (ssize_t)n, "not sent");
        }
    }
    rig_meet();
    if (rig_pe == TARGET)
        check_memory();
    check_service();
    for (int i = 0; rig_pe == INTRUDER && ofi_address_is_ip(ofi.info->addr_format) && i < CALLS;
         i++)
        close(fds[i]);
    check_service();
    CHECK(rig_lost == 0, "PE %u was lost", rig_lost_pe);
}

/* Reads and writes with a key that PE 0 has not given out, or beyond what its key is for. */
static void access_remote(bool write, uint64_t *word, uint64_t distance, uint64_t wrong_bits)
{
    uint64_t addr, key;
    struct ofi_op *op;
    fi_addr_t peer;
    ssize_t r = 0;

    ofi_card_remote(TARGET, 0, &addr, &key);
    pthread_mutex_lock(&OFI_DEFAULT->lock);
    op = ofi_op_take_more(OFI_DEFAULT, release, TARGET);
    for (addr += distance, key ^= wrong_bits; ofi_peer_reach(TARGET, &peer);) {
        r = write ? fi_write(OFI_DEFAULT->ep, word, 8, NULL, peer, addr, key, op)
                  : fi_read(OFI_DEFAULT->ep, word, 8, NULL, peer, addr, key, op);
        if (r != -FI_EAGAIN)
            break;
        await_room(r);
    }
    if (r)
        release(op, (int)r);
    pthread_mutex_unlock(&OFI_DEFAULT->lock);
}

static const char *access_kind = "read"; /* or "write", and "beyond" the segment */

static void test_key(void)
{
    fill_memory();
    if (rig_pe == INTRUDER) {
        bool write = strstr(access_kind, "write"), beyond = strstr(access_kind, "beyond");
        uint64_t word = 0x1111111111111111u;

        access_remote(write, &word, beyond ? RIG_HEAP - 4 : 0, beyond ? 0 : UINT64_C(1) << 40);
        while (!failed)
            rig_net->progress();
        CHECK(word == 0x1111111111111111u, "a word of PE 0 was read: %#lx", word);
    }
    rig_meet();
    if (rig_pe == TARGET)
        check_memory();
    if (rig_pe == WITNESS) {
        uint64_t word = 0;

        rig_net->get(NULL, &word, rig_offset(rig_heap), sizeof word, TARGET);
        CHECK(word == 0xa5a5a5a5a5a5a5a5u, "PE 0 has %#lx", word);
    }
    rig_meet();
}

/* ---- with the card ---- */

static void send_bad(unsigned kind, unsigned op, unsigned width, unsigned segment, const void *body,
                     size_t bytes)
{
    struct ofi_frame head = next_head(kind, true);

    head.op = (uint8_t)op;
    head.width = (uint8_t)width;
    head.segment = (uint8_t)segment;
    send_frame(head, body, bytes);
}

static void send_bad_amos(void)
{
    static const struct {
        unsigned op, width, segment;
        uint64_t offset;
        int more; /* bytes than the right length */
    } bad[] = {
        {TERN_NET_SET, 8, 0, 0, -1},
        {TERN_NET_SET, 8, 0, 0, 8},
        {TERN_NET_SET, 8, 0, 0, -(int)sizeof(struct ofi_frame_amo)},
        {TERN_NET_SET, 0, 0, 0, 0},
        {TERN_NET_SET, 2, 0, 0, 0},
        {TERN_NET_SET, 16, 0, 0, 0},
        {TERN_NET_SET, 255, 0, 0, 0},
        {TERN_NET_SET, 8, TERN_NET_SEGMENTS, 0, 0},
        {TERN_NET_SET, 8, 255, 0, 0},
        {TERN_NET_XOR + 1, 8, 0, 0, 0},
        {255, 8, 0, 0, 0},
        {TERN_NET_SET, 8, 0, RIG_HEAP, 0},
        {TERN_NET_SET, 8, 0, RIG_HEAP - 4, 0},
        {TERN_NET_SET, 8, 0, UINT64_MAX - 7, 0},
        {TERN_NET_SET, 8, 0, TERN_NET_STATIC_BIT, 0},
        {TERN_NET_SET, 8, 1, RIG_STATIC, 0},
        {TERN_NET_SET, 8, 0, 4, 0},
        {TERN_NET_SET, 4, 0, 2, 0},
    };
    unsigned char body[sizeof(struct ofi_frame_amo) + 8] = {0};

    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct ofi_frame_amo amo = {.offset = bad[i].offset, .operand = 1};

        memcpy(body, &amo, sizeof amo);
        send_bad(OFI_FRAME_AMO, bad[i].op, bad[i].width, bad[i].segment, body,
                 (size_t)((int)sizeof amo + bad[i].more));
    }
}

static void send_bad_signals(void)
{
    static const struct {
        uint64_t offset, data_offset;
        uint32_t data_bytes;
        unsigned op, segment, data_segment, sent; /* bytes of data in the frame */
    } bad[] = {
        {0, 64, 16, TERN_NET_SET, 0, 0, 8},
        {0, 64, 8, TERN_NET_SET, 0, 0, 16},
        {0, 64, UINT32_MAX, TERN_NET_SET, 0, 0, 16},
        {0, RIG_HEAP - 8, 16, TERN_NET_SET, 0, 0, 16},
        {0, UINT64_MAX - 15, 16, TERN_NET_SET, 0, 0, 16},
        {0, 64, 16, TERN_NET_SET, 0, TERN_NET_SEGMENTS, 16},
        {0, 64, 16, TERN_NET_SET, TERN_NET_SEGMENTS, 0, 16},
        {4, 64, 16, TERN_NET_SET, 0, 0, 16},
        {RIG_HEAP - 4, 64, 16, TERN_NET_SET, 0, 0, 16},
        {0, 64, 16, TERN_NET_XOR + 1, 0, 0, 16},
    };
    unsigned char body[sizeof(struct ofi_frame_signal) + 16] = {0};

    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct ofi_frame_signal signal = {
            .offset = bad[i].offset,
            .signal = 1,
            .data_offset = bad[i].data_offset,
            .data_segment = (uint8_t)bad[i].data_segment,
            .data_bytes = bad[i].data_bytes,
        };

        memcpy(body, &signal, sizeof signal);
        send_bad(OFI_FRAME_SIGNAL, bad[i].op, 0, bad[i].segment, body, sizeof signal + bad[i].sent);
    }
    send_bad(OFI_FRAME_SIGNAL, TERN_NET_SET, 0, 0, body, sizeof(struct ofi_frame_signal) - 1);
}

static void send_bad_scatters(void)
{
    static const struct {
        uint64_t offset, stride;
        uint32_t block, n;
        unsigned segment, sent;
    } bad[] = {
        {0, 8, 8, 0, 0, 0},
        {0, 8, 8, 3, 0, 16},
        {0, 0, 0, UINT32_MAX, 0, 0}, /* would take the processor for seconds */
        {0, UINT64_MAX, 8, 2, 0, 16},
        {0, UINT64_MAX - 7, 8, 2, 0, 16},
        {0, RIG_HEAP, 8, 2, 0, 16},
        {RIG_HEAP - 8, 8, 8, 2, 0, 16},
        {UINT64_MAX - 7, 16, 8, 2, 0, 16},
        {0, 16, 8, 2, TERN_NET_SEGMENTS, 16},
        {0, 16, UINT32_MAX, UINT32_MAX, 0, 16},
    };
    unsigned char body[sizeof(struct ofi_frame_scatter) + 16] = {0};

    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct ofi_frame_scatter scatter = {
            .offset = bad[i].offset, .stride = bad[i].stride, .block = bad[i].block, .n = bad[i].n};

        memcpy(body, &scatter, sizeof scatter);
        send_bad(OFI_FRAME_SCATTER, 0, 0, bad[i].segment, body, sizeof scatter + bad[i].sent);
    }
    send_bad(OFI_FRAME_SCATTER, 0, 0, 0, body, sizeof(struct ofi_frame_scatter) - 1);
}

static void send_other_kinds(void)
{
    static const unsigned char body[64];

    for (unsigned kind = OFI_FRAME_ANSWER + 1; kind < 256; kind++)
        send_bad(kind, TERN_NET_SET, 8, 0, body, sizeof body);
}

/* Bytes that are no frame, and frames that say to be of PEs that do not exist. */
static void send_bad_heads(void)
{
    struct ofi_frame head = next_head(OFI_FRAME_AMO, false);
    struct ofi_frame_amo amo = {.operand = 1};
    static const uint32_t nobody[] = {PES, 1u << 20, INT32_MAX, UINT32_MAX};

    head.op = TERN_NET_SET;
    head.width = 8;
    for (size_t n = 1; n < sizeof head; n++)
        send_bytes(&head, n);
    for (size_t i = 0; i < sizeof nobody / sizeof *nobody; i++) {
        head.from = nobody[i];
        send_frame(head, &amo, sizeof amo);
    }
}

static void test_bodies(void)
{
    fill_memory();
    if (rig_pe == INTRUDER) {
        send_bad_heads();
        send_bad_amos();
        send_bad_signals();
        send_bad_scatters();
        send_other_kinds();
    }
    rig_received = take_message;
    rig_meet();
    if (rig_pe == INTRUDER)
        send_message(1);
    if (rig_pe == TARGET) {
        await_messages(1);
        check_memory();
    }
    check_service();
}

static void send_value(uint16_t request)
{
    struct ofi_frame_value value = {.value = 666, .request = request};

    send_bad(OFI_FRAME_VALUE, 0, 0, 0, &value, sizeof value);
}

static void send_done(uint16_t first)
{
    struct ofi_frame_done done = {.n = OFI_DONE_MOST};

    for (uint16_t i = 0; i < OFI_DONE_MOST; i++)
        done.requests[i] = (uint16_t)(first + i);
    send_bad(OFI_FRAME_DONE, 0, 0, 0, &done, ofi_frame_done_bytes(done.n));
}

static void send_bad_answers(void)
{
    struct ofi_frame_done done = {.n = UINT16_MAX};
    struct ofi_frame_value value = {0};

    send_bad(OFI_FRAME_DONE, 0, 0, 0, &done, 0);
    send_bad(OFI_FRAME_DONE, 0, 0, 0, &done, 1);
    send_bad(OFI_FRAME_DONE, 0, 0, 0, &done, sizeof done);
    done.n = 1;
    send_bad(OFI_FRAME_DONE, 0, 0, 0, &done, 2);
    send_bad(OFI_FRAME_VALUE, 0, 0, 0, &value, sizeof value - 1);
    send_bad(OFI_FRAME_VALUE, 0, 0, 0, &value, 0);
}

/* Answers to requests that PE 0 has sent to another PE change nothing. */
static void test_answers(void)
{
    uint64_t *word = (uint64_t *)rig_heap;

    *word = 0;
    rig_meet();
    if (rig_pe == INTRUDER) {
        send_bad_answers();
        for (unsigned i = 0; !rig_board[0]; i++) { /* names of requests, mostly of one slot */
            send_value((uint16_t)(i * 512 + 511));
            send_done((uint16_t)(i * 512 + 511 - i % OFI_DONE_MOST));
        }
    }
    for (uint64_t i = 0; rig_pe == TARGET && i < 2000; i++) {
        uint64_t old = UINT64_MAX;

        rig_net->amo(NULL, TERN_NET_ADD, 8, rig_offset(word), 1, 0, &old, WITNESS);
        CHECK(old == i, "the word was %lu after %lu additions", old, i);
    }
    if (rig_pe == TARGET)
        rig_board[0] = 1;
    rig_meet();
    CHECK(rig_pe != WITNESS || *word == 2000, "the word is %lu", *word);
    check_service();
}

/* Frames that come again, or before earlier ones, count once and in turn. */
static void test_numbers(void)
{
    enum { EARLY = 6 };

    rig_received = take_message;
    rig_meet();
    if (rig_pe == INTRUDER) {
        struct ofi_frame head;
        uint32_t text, start;

        send_message(0);
        head = next_head(OFI_FRAME_MESSAGE, false);
        start = head.number;
        for (int i = EARLY; i >= 0; i--) {
            head.number = start + (uint32_t)i;
            text = (uint32_t)i + 1;
            send_frame(head, &text, sizeof text);
            send_frame(head, &text, sizeof text);
        }
        for (uint32_t past = 1; past < 4; past++) {
            head.number = start - past;
            send_frame(head, &text, sizeof text);
        }
        ofi.peers[TARGET].sent += EARLY + 1;
        send_message(EARLY + 2);
    }
    if (rig_pe == TARGET) {
        await_messages(EARLY + 3);
        CHECK(taken == EARLY + 3 && last_taken == EARLY + 2, "%u messages, the last is %u", taken,
              last_taken);
    }
    check_service();
}

static long resident_kib(void)
{
    FILE *f = fopen("/proc/self/statm", "r");
    long pages = 0;

    CHECK(f && fscanf(f, "%*d %ld", &pages) == 1, "no /proc/self/statm");
    fclose(f);
    return pages * (sysconf(_SC_PAGESIZE) / 1024);
}

static void await_loss(void)
{
    while (!tern_load_acquire(&rig_lost))
        rig_net->progress();
    CHECK(rig_lost == 1 && rig_lost_pe == INTRUDER, "PE %u was lost", rig_lost_pe);
}

/* A number that no provider brings so early: PE 1 counts as lost, which ends a job. */
static void test_far_ahead(void)
{
    uint32_t text = 666;

    rig_received = take_message;
    rig_meet();
    if (rig_pe == INTRUDER) {
        struct ofi_frame head = next_head(OFI_FRAME_MESSAGE, false);

        head.number += INT32_MAX;
        send_frame(head, &text, sizeof text);
    }
    if (rig_pe == TARGET)
        await_loss();
    CHECK(taken == 0, "message %u", last_taken);
    rig_meet();
}

/* The memory of early frames has a bound, and so PE 1 counts as lost. */
static void test_flood(void)
{
    enum { FRAMES = 3000 }; /* 96 MiB */
    static unsigned char body[TERN_NET_FRAME_BYTES];
    long before = resident_kib();

    rig_meet();
    if (rig_pe == INTRUDER) {
        struct ofi_frame head = next_head(OFI_FRAME_MESSAGE, false);

        for (int i = 0; i < FRAMES; i++) {
            head.number++;
            send_frame(head, body, sizeof body);
        }
    }
    if (rig_pe == TARGET) {
        await_loss();
        CHECK(resident_kib() - before < 80 << 10, "%ld KiB", resident_kib() - before);
    }
    rig_meet();
}

static const struct {
    const char *name;
    void (*body)(void);
} tests[] = {
    {"token", test_token},
    {"tokens-differ", test_tokens_differ},
    {"too-long", test_too_long},
    {"garbage", test_garbage},
    {"key", test_key},
    {"bodies", test_bodies},
    {"answers", test_answers},
    {"numbers", test_numbers},
    {"far-ahead", test_far_ahead},
    {"flood", test_flood},
};

int main(int argc, char **argv)
{
    if (argc > 2)
        access_kind = argv[2];
    for (size_t i = 0; argc > 1 && i < sizeof tests / sizeof *tests; i++)
        if (!strcmp(argv[1], tests[i].name)) {
            rig_template.provider = getenv("SHMEM_PROVIDER");
            rig_template.loopback = true;
            return rig_run(PES, tests[i].body);
        }
    fprintf(stderr, "which test?\n");
    return 2;
}

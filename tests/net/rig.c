/* SPDX-License-Identifier: BSD-3-Clause */
/* Forks PEs, gives each its segments and the engine, and exchanges cards through shared memory. */
#include "net/rig.h"

#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern const struct tern_net_ops *const tern_net_engine_7;

struct tern_net_host rig_template;
int rig_pe, rig_n_pes;
const struct tern_net_ops *rig_net;
unsigned char *rig_heap, *rig_static;
uint32_t rig_landed, rig_lost, rig_lost_pe;
void (*rig_received)(int from, const void *message, size_t bytes);
volatile uint64_t *rig_board;

static struct shared {
    unsigned char cards[RIG_PES][TERN_NET_CARD_BYTES];
    uint32_t arrived, round, expect_death[RIG_PES];
    uint64_t board[64];
} * shared;

static unsigned char *segments; /* of all PEs, one after the other */
static uint32_t present;

double rig_now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

void rig_fail(const char *file, int line, const char *condition, const char *format, ...)
{
    va_list args;

    fprintf(stderr, "PE %d: %s:%d: %s: ", rig_pe, file, line, condition);
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fputc('\n', stderr);
    _exit(1);
}

static unsigned char *segments_of(int pe)
{
    return segments + (size_t)pe * (RIG_HEAP + RIG_STATIC);
}

void *rig_real(const void *addr, int pe)
{
    return segments_of(pe) + ((const unsigned char *)addr - segments_of(rig_pe));
}

uint64_t rig_offset(const void *addr)
{
    size_t in_heap = (size_t)((const unsigned char *)addr - rig_heap);

    if (in_heap < RIG_HEAP)
        return in_heap;
    return (uint64_t)((const unsigned char *)addr - rig_static) | TERN_NET_STATIC_BIT;
}

static void meet(bool progress)
{
    uint32_t round = tern_load_acquire(&shared->round);

    if (tern_fetch_add(&shared->arrived, 1) + 1 == present) {
        tern_store_relaxed(&shared->arrived, 0);
        tern_fetch_add(&shared->round, 1);
        return;
    }
    while (tern_load_acquire(&shared->round) == round) {
        if (progress && rig_net)
            rig_net->progress();
        if (rig_n_pes > 8)
            usleep(10000);
        else
            sched_yield();
    }
}

void rig_meet(void)
{
    meet(true);
}

void rig_meet_computing(void)
{
    meet(false);
}

void rig_meet_without(int gone)
{
    present = (uint32_t)rig_n_pes - 1;
    meet(true);
}

void rig_expect_death(int pe)
{
    shared->expect_death[pe] = 1;
}

static const void *card(int pe)
{
    return shared->cards[pe];
}

static void landed(void)
{
    __atomic_fetch_add(&rig_landed, 1, __ATOMIC_RELAXED);
}

static void received(int from, const void *message, size_t bytes)
{
    if (rig_received)
        rig_received(from, message, bytes);
}

/* The tests of losses go on without the lost peer. */
static void stay(void)
{
}

static void lost(int pe, const char *why)
{
    if (getenv("RIG_DEBUG"))
        fprintf(stderr, "PE %d: PE %d was lost: %s\n", rig_pe, pe, why);
    rig_lost_pe = (uint32_t)pe;
    __atomic_fetch_add(&rig_lost, 1, __ATOMIC_RELEASE);
}

static size_t carry_out(const void *frame, size_t bytes, void *answer)
{
    return 0;
}

static void answered(int from, const void *answer, size_t bytes)
{
}

static bool attend(void)
{
    return false;
}

static void error(const char *text)
{
    fprintf(stderr, "PE %d: %s\n", rig_pe, text);
}

static TERN_NORETURN void no_memory(const char *routine, const char *what, size_t bytes)
{
    fprintf(stderr, "PE %d: no memory for %s, %zu bytes\n", rig_pe, what, bytes);
    _exit(1);
}

static void explain(enum tern_limit what, size_t bytes, char text[TERN_LIMIT_BYTES])
{
    text[0] = '\0';
}

static void debug(const char *text)
{
    if (getenv("RIG_DEBUG"))
        fprintf(stderr, "PE %d: %s\n", rig_pe, text);
}

static void be_pe(int pe, void (*body)(void))
{
    static struct tern_net_host host;

    prctl(PR_SET_PDEATHSIG, SIGKILL);
    rig_pe = pe;
    rig_heap = segments_of(pe);
    rig_static = rig_heap + RIG_HEAP;
    host = rig_template;
    host.pe = pe;
    host.n_pes = rig_n_pes;
    host.loopback = true;
    host.segments[TERN_NET_HEAP].start = rig_heap;
    host.segments[TERN_NET_HEAP].bytes = RIG_HEAP;
    host.segments[TERN_NET_STATIC].start = rig_static;
    host.segments[TERN_NET_STATIC].bytes = RIG_STATIC;
    host.card = card;
    host.landed = landed;
    host.received = received;
    host.carry_out = carry_out;
    host.answered = answered;
    host.attend = attend;
    host.lost = lost;
    host.stay = stay;
    host.no_memory = no_memory;
    host.explain = explain;
    host.error = error;
    host.debug = debug;
    CHECK(tern_net_engine_7->open(&host, shared->cards[pe]) == 0, "open");
    meet(false);
    CHECK(tern_net_engine_7->connect() == 0, "connect");
    rig_net = tern_net_engine_7;
    rig_meet();
    body();
    rig_meet();
    rig_net->close();
    exit(0);
}

int rig_run(int n, void (*body)(void))
{
    pid_t pids[RIG_PES];
    int failed = 0;

    rig_n_pes = n;
    present = (uint32_t)n;
    shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    segments = mmap(NULL, (size_t)n * (RIG_HEAP + RIG_STATIC), PROT_READ | PROT_WRITE,
                    MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (shared == MAP_FAILED || segments == MAP_FAILED)
        return 2;
    rig_board = shared->board;
    for (int pe = 0; pe < n; pe++) {
        pids[pe] = fork();
        if (pids[pe] == 0)
            be_pe(pe, body);
    }
    for (int i = 0; i < n; i++) {
        int status, pe = 0;
        pid_t pid = wait(&status);

        while (pe < n - 1 && pids[pe] != pid)
            pe++;
        if (status == 0 || shared->expect_death[pe])
            continue;
        fprintf(stderr, "PE %d ended with status %#x\n", pe, (unsigned)status);
        if (!failed++)
            for (int other = 0; other < n; other++)
                if (pids[other] != pid)
                    kill(pids[other], SIGKILL);
    }
    return failed != 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Counts what PEs of a large job send, whom they reach, and what memory they hold: in shmem_init,
 * in each collective, and when each PE only communicates with its neighbours.
 *
 *     large_schedules NODES PES
 *
 * prints the counts, and fails if one exceeds its bound.
 */
#include <inttypes.h>
#include <pthread.h>
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/os.h"
#include "boot/boot.h"
#include "core/job.h"
#include "large/engine.h"
#include "large/memory.h"
#include "unit/unit.h"

#define HEAP_BYTES "1M"
#define STACK_BYTES ((size_t)512 << 10)

enum phase {
    INIT,
    BARRIER,
    NEIGHBOURS,
    BROADCAST,
    REDUCE,
    SCAN,
    FCOLLECT,
    COLLECT,
    SPLIT,
    ALLTOALL,
    ALLTOALLS,
    FINALIZE,
    PHASES
};

static const char *const names[PHASES] = {"shmem_init",
                                          "barrier_all",
                                          "puts to neighbours",
                                          "broadcast",
                                          "reduce",
                                          "scan",
                                          "fcollect",
                                          "collect",
                                          "team_split_strided",
                                          "alltoall",
                                          "alltoalls of 24 bytes",
                                          "shmem_finalize"};

/* What one PE has sent in a phase. */
struct pe {
    struct engine_counts phases[PHASES];
    bool leads;
    int peers_early; /* once it has been initialized, and has reached its neighbours */
    long held;       /* private memory after a barrier */
};

static struct {
    int nodes, n_pes, fd;
    void *object;
    struct pe *pes;
} job;

static TERN_PE_LOCAL struct engine_counts before;
static TERN_PE_LOCAL struct pe *me;

static void end_phase(enum phase phase)
{
    struct engine_counts now = engine_counts();

    me->phases[phase] =
        (struct engine_counts){now.messages - before.messages, now.bytes - before.bytes};
    before = now;
}

/* Each member's element is its number. */
static void check_all(const long *dest)
{
    for (int pe = 0; pe < job.n_pes; pe++)
        CHECK(dest[pe] == pe);
}

static void reach_neighbours(long *arrived, int pe)
{
    shmem_long_p(&arrived[0], pe, (pe + 1) % job.n_pes);
    shmem_long_p(&arrived[1], pe, (pe + job.n_pes - 1) % job.n_pes);
    shmem_quiet();
    end_phase(NEIGHBOURS);
    me->peers_early = engine_peers(pe);
    shmem_barrier_all();
    before = engine_counts();
    CHECK(arrived[0] == (pe + job.n_pes - 1) % job.n_pes && arrived[1] == (pe + 1) % job.n_pes);
}

static void combine(long *dest, long *source, int pe)
{
    long n = job.n_pes;

    shmem_long_broadcast(SHMEM_TEAM_WORLD, dest, source, 1, 0);
    end_phase(BROADCAST);
    CHECK(dest[0] == 0);
    shmem_long_sum_reduce(SHMEM_TEAM_WORLD, dest, source, 1);
    end_phase(REDUCE);
    CHECK(dest[0] == n * (n - 1) / 2);
    shmem_long_sum_inscan(SHMEM_TEAM_WORLD, dest, source, 1);
    end_phase(SCAN);
    CHECK(dest[0] == (long)pe * (pe + 1) / 2);
}

static void gather(long *dest, long *source, int pe)
{
    shmem_long_fcollect(SHMEM_TEAM_WORLD, dest, source, 1);
    end_phase(FCOLLECT);
    check_all(dest);
    memset(dest, 0, (size_t)job.n_pes * sizeof *dest);
    shmem_long_collect(SHMEM_TEAM_WORLD, dest, source, 1);
    end_phase(COLLECT);
    check_all(dest);
    for (int i = 0; i < job.n_pes; i++)
        source[i] = pe;
    shmem_long_alltoall(SHMEM_TEAM_WORLD, dest, source, 1);
    end_phase(ALLTOALL);
    check_all(dest);
}

/* Blocks of three elements, with gaps: element i from a PE to another has a value of its own. */
static long value_of(int from, int to, int i)
{
    return ((long)from * job.n_pes + to) * 3 + i;
}

static void exchange_with_gaps(long *dest, long *source, int pe)
{
    for (int to = 0; to < job.n_pes; to++)
        for (int i = 0; i < 3; i++)
            source[(to * 3 + i) * 2] = value_of(pe, to, i);
    shmem_long_alltoalls(SHMEM_TEAM_WORLD, dest, source, 1, 2, 3);
    end_phase(ALLTOALLS);
    for (int from = 0; from < job.n_pes; from++)
        for (int i = 0; i < 3; i++)
            CHECK(dest[from * 3 + i] == value_of(from, pe, i));
}

static void body(int pe)
{
    long *source, *dest, *arrived;
    shmem_team_t half = SHMEM_TEAM_INVALID;

    end_phase(INIT);
    shmem_barrier_all();
    end_phase(BARRIER);
    me->held = memory_held();
    source = shmem_calloc(6 * (size_t)job.n_pes, sizeof *source);
    dest = shmem_calloc(3 * (size_t)job.n_pes, sizeof *dest);
    arrived = shmem_calloc(2, sizeof *arrived);
    source[0] = pe;
    before = engine_counts();
    reach_neighbours(arrived, pe);
    combine(dest, source, pe);
    CHECK(shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 2, (job.n_pes + 1) / 2, NULL, 0, &half) ==
          0);
    end_phase(SPLIT);
    gather(dest, source, pe);
    exchange_with_gaps(dest, source, pe);
}

static void *be_pe(void *number)
{
    int pe = (int)(intptr_t)number;

    me = &job.pes[pe];
    tern_boot_be_thread(pe, job.n_pes, job.fd, job.object);
    shmem_init();
    me->leads = tern_job.boot->node_pe == 0;
    body(pe);
    before = engine_counts();
    shmem_finalize();
    end_phase(FINALIZE);
    return NULL;
}

static void run_pes(void)
{
    pthread_t *threads = calloc((size_t)job.n_pes, sizeof *threads);
    pthread_attr_t attributes;

    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, STACK_BYTES);
    for (int pe = 0; pe < job.n_pes; pe++)
        CHECK(pthread_create(&threads[pe], &attributes, be_pe, (void *)(intptr_t)pe) == 0);
    for (int pe = 0; pe < job.n_pes; pe++)
        pthread_join(threads[pe], NULL);
    free(threads);
}

/* ---- what is counted ---- */

static struct engine_counts most_of(enum phase phase, bool leaders)
{
    struct engine_counts most = {0};

    for (int pe = 0; pe < job.n_pes; pe++) {
        const struct engine_counts *one = &job.pes[pe].phases[phase];

        if (job.pes[pe].leads != leaders)
            continue;
        most.messages = one->messages > most.messages ? one->messages : most.messages;
        most.bytes = one->bytes > most.bytes ? one->bytes : most.bytes;
    }
    return most;
}

static int most_peers(bool leaders, bool early)
{
    int most = 0;

    for (int pe = 0; pe < job.n_pes; pe++) {
        int peers = early ? job.pes[pe].peers_early : engine_peers(pe);

        if (job.pes[pe].leads == leaders && peers > most)
            most = peers;
    }
    return most;
}

static long most_held(void)
{
    long most = 0;

    for (int pe = 0; pe < job.n_pes; pe++)
        most = job.pes[pe].held > most ? job.pes[pe].held : most;
    return most;
}

static void print(void)
{
    printf("%d PEs on %d nodes\n", job.n_pes, job.nodes);
    for (enum phase phase = 0; phase < PHASES; phase++) {
        struct engine_counts leaders = most_of(phase, true), others = most_of(phase, false);

        printf("%-22s a leader sends %" PRIu64 " messages, %" PRIu64 " bytes; another PE %" PRIu64
               " messages\n",
               names[phase], leaders.messages, leaders.bytes, others.messages);
    }
    printf("connections, when each PE has reached its neighbours: leader %d, another PE %d\n",
           most_peers(true, true), most_peers(false, true));
    printf("connections at the end: leader %d, another PE %d\n", most_peers(true, false),
           most_peers(false, false));
    printf("private memory after a barrier: %ld bytes\n", most_held());
}

/* ---- bounds ---- */

#define PIECE 8000 /* a longer message is sent in pieces of at least so many bytes */

/* Steps of a schedule. */
static uint64_t log_of_nodes(void)
{
    uint64_t log = 0;

    while (1 << log < job.nodes)
        log++;
    return log;
}

/* Alltoalls whose blocks are passed on in bundles; in others a leader sends one to each node. */
static bool is_in_bundles(enum phase phase)
{
    int largest = (job.n_pes + job.nodes - 1) / job.nodes;

    return job.nodes >= 16 && largest * largest * (phase == ALLTOALL ? 8 : 24) <= 512;
}

static uint64_t most_messages(enum phase phase, uint64_t bytes)
{
    if ((phase == ALLTOALL || phase == ALLTOALLS) && !is_in_bundles(phase))
        return (uint64_t)job.nodes - 1;
    if (phase == NEIGHBOURS)
        return 4; /* two puts, and the answers to two frames */
    return log_of_nodes() + 2 + bytes / PIECE;
}

/* Every message has a head of 64 bytes. */
static uint64_t most_bytes(enum phase phase)
{
    uint64_t log = log_of_nodes(), nodes = (uint64_t)job.nodes, pes = (uint64_t)job.n_pes;
    uint64_t heads = 64 * (log + 2);

    switch (phase) {
    case NEIGHBOURS:
        return 64;
    case SCAN:
        return heads + 64 + 32 * nodes;
    case FCOLLECT:
    case COLLECT:
        return heads + (32 * pes + 16 * nodes) * 65 / 64 + 64;
    case ALLTOALL:
    case ALLTOALLS:
        return UINT64_MAX; /* the data themselves */
    default:
        return heads + 64 * (log + 2);
    }
}

static void check_phase(enum phase phase)
{
    struct engine_counts leaders = most_of(phase, true), others = most_of(phase, false);

    if (leaders.messages > most_messages(phase, leaders.bytes) || leaders.bytes > most_bytes(phase))
        fprintf(stderr, "%s: too many messages or bytes\n", names[phase]);
    CHECK(leaders.messages <= most_messages(phase, leaders.bytes));
    CHECK(leaders.bytes <= most_bytes(phase));
    CHECK(others.messages <= (phase == NEIGHBOURS ? 4 : 0));
}

static void check_connections(void)
{
    int log = (int)log_of_nodes();
    bool in_bundles = is_in_bundles(ALLTOALL) && is_in_bundles(ALLTOALLS);

    CHECK(most_peers(false, false) <= 2);
    CHECK(most_peers(true, true) <= 2 * log + 2);
    CHECK(most_peers(true, false) <= (in_bundles ? 4 * log + 2 : job.nodes + 1));
}

/*
 * For each PE its stream (net/gather/stream.h); for each node its range twice, as a node of the job
 * and as a part of the world, and three entries in lists of streams.
 */
static void check_memory(void)
{
    long formula = 16L * job.n_pes + (2 * 12 + 3 * 8) * job.nodes;

    CHECK(most_held() >= formula);
    CHECK(most_held() <= formula + 1024);
}

int main(int argc, char **argv)
{
    CHECK(argc > 2);
    job.nodes = atoi(argv[1]);
    job.n_pes = atoi(argv[2]);
    job.pes = calloc((size_t)job.n_pes, sizeof *job.pes);
    setenv("SHMEM_SYMMETRIC_SIZE", HEAP_BYTES, 1);
    setenv("SHMEM_NODES", argv[1], 1);
    job.fd = tern_os_memfd("large", tern_job_object_size((uint32_t)job.n_pes));
    job.object = mmap(NULL, TERN_IMAGES_OFFSET, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE,
                      job.fd, 0);
    CHECK(job.fd >= 0 && job.object != MAP_FAILED);
    engine_start(job.n_pes);
    run_pes();
    print();
    for (enum phase phase = 0; phase < PHASES; phase++)
        check_phase(phase);
    check_connections();
    check_memory();
    engine_stop();
    free(job.pes);
    return 0;
}

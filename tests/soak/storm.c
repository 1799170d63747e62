/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The phase of transfers and atomic operations: threads carry out the lanes of their PE, then each
 * PE draws all lanes of all PEs once more and compares its memory with what they must have left.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "crew.h"
#include "lane.h"
#include "report.h"

static struct storm {
    const struct round *round;
    int threads, lanes;
    shmem_team_t reversed, parity;
    unsigned char *rows;
    uint64_t (*signals)[SIGNALS];
    struct shared *shared;
    unsigned char *table;
    struct ticket_sums (*tickets)[2][2 * TICKETS]; /* one entry for each PE */
    struct performer *performers;
} storm;

static _Alignas(16) unsigned char static_rows[MAX_PES * MAX_LANES][STATIC_BYTES];
static struct shared static_shared;

static int row_number(int pe, int index)
{
    return pe * MAX_LANES + index;
}

unsigned char *storm_row(int pe, int index, uint32_t at)
{
    if (at < HEAP_BYTES)
        return storm.rows + (size_t)row_number(pe, index) * HEAP_BYTES + at;
    if (at < SIGNALS_AT)
        return static_rows[row_number(pe, index)] + at - HEAP_BYTES;
    return (unsigned char *)storm.signals[row_number(pe, index)] + at - SIGNALS_AT;
}

struct shared *storm_shared(bool in_static)
{
    return in_static ? &static_shared : storm.shared;
}

const unsigned char *storm_table(void)
{
    return storm.table;
}

/* ---- set-up ---- */

static void start_shared(struct shared *shared)
{
    memset(shared, 0, sizeof *shared);
    memset(shared->and64, 0xff, sizeof shared->and64);
    memset(shared->and32, 0xff, sizeof shared->and32);
}

static void fill_memory(void)
{
    for (int pe = 0; pe < soak_n_pes; pe++)
        for (int index = 0; index < storm.lanes; index++)
            for (uint32_t at = 0; at < SIGNALS_AT; at++)
                *storm_row(pe, index, at) = model_start(pe, index, soak_me, at);
    for (uint32_t at = 0; at < HEAP_BYTES; at++)
        storm.table[at] = model_table(soak_me, at);
    start_shared(storm.shared);
    start_shared(&static_shared);
}

static void take_memory(void)
{
    size_t n = (size_t)soak_n_pes * MAX_LANES;

    storm.rows = soak_alloc(n * HEAP_BYTES);
    storm.signals = soak_alloc(n * sizeof *storm.signals);
    storm.shared = soak_alloc(sizeof *storm.shared);
    storm.table = soak_alloc(HEAP_BYTES);
    storm.tickets = soak_alloc((size_t)soak_n_pes * sizeof *storm.tickets);
    storm.performers = calloc((size_t)storm.lanes, sizeof *storm.performers);
    if (!storm.performers)
        report_failure("no memory");
    fill_memory();
}

static void release_memory(void)
{
    free(storm.performers);
    shmem_free(storm.tickets);
    shmem_free(storm.table);
    shmem_free(storm.shared);
    shmem_free(storm.signals);
    shmem_free(storm.rows);
}

static void split_teams(void)
{
    int n = soak_n_pes;

    expect(!shmem_team_split_strided(SHMEM_TEAM_WORLD, n - 1, -1, n, NULL, 0, &storm.reversed),
           "no reversed team");
    storm.parity = SHMEM_TEAM_INVALID;
    for (int parity = 0; parity < 2 && parity < n; parity++) {
        int size = (n + 1 - parity) / 2;
        shmem_team_t team;

        expect(!shmem_team_split_strided(SHMEM_TEAM_WORLD, parity, size > 1 ? 2 : 0, size, NULL, 0,
                                         &team),
               "no team of every other PE");
        if (soak_me % 2 == parity)
            storm.parity = team;
    }
}

static shmem_ctx_t open_ctx(enum context context)
{
    static const long options[CONTEXTS] = {[SERIALIZED] = SHMEM_CTX_SERIALIZED,
                                           [PRIVATE] = SHMEM_CTX_PRIVATE,
                                           [NOSTORE] = SHMEM_CTX_NOSTORE};
    shmem_ctx_t ctx = SHMEM_CTX_DEFAULT;
    int error = 0;

    if (context == REVERSED || context == PARITY)
        error = shmem_team_create_ctx(context == PARITY ? storm.parity : storm.reversed, 0, &ctx);
    else if (context != PLAIN && context != DEFAULT)
        error = shmem_ctx_create(options[context], &ctx);
    expect(!error, "no context of kind %d", (int)context);
    return ctx;
}

static void open_performer(struct performer *p, int index)
{
    struct row *rows = calloc((size_t)soak_n_pes, sizeof *rows);

    p->arena = aligned_alloc(16, ARENA_BYTES);
    p->expected = aligned_alloc(16, ARENA_BYTES);
    if (!rows || !p->arena || !p->expected)
        report_failure("no memory");
    lane_begin(&p->lane, storm.round, soak_me, index, rows);
    p->ctx = open_ctx(p->lane.context);
}

static void close_performer(struct performer *p)
{
    if (p->lane.context != PLAIN && p->lane.context != DEFAULT)
        shmem_ctx_destroy(p->ctx);
    soak_count(p->lane.number);
    free(p->lane.rows);
    free(p->arena);
    free(p->expected);
}

/* ---- the lanes ---- */

/* A thread has every `threads`-th lane, and draws one of them for each burst of steps. */
static void run_lanes(int thread)
{
    int n = 0, left;
    struct draw draw =
        draw_from(storm.round->seed, DRAW_THREAD, (uint64_t)(soak_me * MAX_THREADS + thread));
    struct performer *mine[MAX_LANES];
    struct step step;

    for (int index = thread; index < storm.lanes; index += storm.threads) {
        mine[n] = &storm.performers[index];
        open_performer(mine[n++], index);
    }
    left = n;
    while (left) {
        int i = (int)draw_below(&draw, (uint64_t)n);

        for (unsigned burst = 1 + draw_below(&draw, 30); burst && !mine[i]->lane.ended; burst--) {
            plan_next(&mine[i]->lane, &step);
            if (thread == 0)
                report_place("storm, step", mine[i]->lane.number);
            perform(mine[i], &step);
            left -= mine[i]->lane.ended;
        }
    }
    for (int i = 0; i < n; i++)
        close_performer(mine[i]);
}

/* ---- the comparison ---- */

/* The last step of a lane that wrote to a byte at this PE, as text. */
static const char *writer_of(int pe, int index, struct row *rows, uint32_t at)
{
    struct lane lane;
    struct step step, last = {.kind = COMPUTE};
    unsigned number = 0;
    unsigned char *byte = &rows[soak_me].bytes[at], before;
    static char text[400];

    lane_begin(&lane, storm.round, pe, index, rows);
    while (plan_next(&lane, &step)) {
        before = *byte;
        model_apply(&lane, &step, NULL);
        if (*byte != before) {
            last = step;
            number = lane.number;
        }
    }
    if (number)
        snprintf(text, sizeof text, "last changed by step %u, %s", number, step_text(&last));
    else
        snprintf(text, sizeof text, "never changed");
    return text;
}

static void compare_row(int pe, int index, struct row *rows)
{
    for (uint32_t at = 0; at < ROW_BYTES; at++) {
        unsigned char got = *storm_row(pe, index, at), expected = rows[soak_me].bytes[at];

        expect(got == expected, "the row of lane %d of PE %d: byte %u is %#x, expected %#x, %s",
               index, pe, at, got, expected, writer_of(pe, index, rows, at));
    }
}

static void compare_shared(const struct shared expected[2])
{
    for (int in_static = 0; in_static < 2; in_static++) {
        const unsigned char *got = (const unsigned char *)storm_shared(in_static);
        const unsigned char *wanted = (const unsigned char *)&expected[in_static];

        for (size_t i = 0; i < sizeof *expected; i++)
            expect(got[i] == wanted[i], "shared words in %s: byte %zu is %#x, expected %#x",
                   in_static ? "static data" : "the heap", i, got[i], wanted[i]);
    }
}

/* What is written, added or drawn at this PE by all lanes. */
static void compare_memory(void)
{
    struct row *rows = malloc((size_t)soak_n_pes * sizeof *rows);
    struct shared expected[2];
    struct lane lane;
    struct step step;

    start_shared(&expected[0]);
    start_shared(&expected[1]);
    for (int pe = 0; pe < soak_n_pes; pe++)
        for (int index = 0; index < storm.lanes; index++) {
            lane_begin(&lane, storm.round, pe, index, rows);
            while (plan_next(&lane, &step)) {
                if (step.pe == soak_me && (step.kind == SHARED || step.kind == TICKET))
                    model_apply_shared(&step, expected);
                model_apply(&lane, &step, NULL);
            }
            compare_row(pe, index, rows);
        }
    compare_shared(expected);
    free(rows);
}

/* All PEs together drew 0 to n - 1 from each word, so these are the sums. */
static void compare_tickets(bool in_static, unsigned word)
{
    const struct shared *shared = storm_shared(in_static);
    uint64_t n = word < TICKETS ? shared->ticket64[word] : shared->ticket32[word - TICKETS];
    struct ticket_sums sums = {0}, wanted = {0};

    for (int pe = 0; pe < soak_n_pes; pe++) {
        sums.sum += storm.tickets[pe][in_static][word].sum;
        sums.squares += storm.tickets[pe][in_static][word].squares;
    }
    for (uint64_t i = 0; i < n; i++) {
        wanted.sum += i;
        wanted.squares += i * i;
    }
    expect(sums.sum == wanted.sum && sums.squares == wanted.squares,
           "ticket word %u in %s: %llu tickets with the sum %llu, expected %llu", word,
           in_static ? "static data" : "the heap", (unsigned long long)n,
           (unsigned long long)sums.sum, (unsigned long long)wanted.sum);
}

/* To the PE that has the words. */
static void send_tickets(void)
{
    for (int pe = 0; pe < soak_n_pes; pe++) {
        struct ticket_sums sums[2][2 * TICKETS] = {0};

        for (int i = 0; i < storm.lanes * 2 * 2 * TICKETS; i++) {
            struct ticket_sums *from = &storm.performers[i / (4 * TICKETS)]
                                            .tickets[pe][i / (2 * TICKETS) % 2][i % (2 * TICKETS)];

            sums[i / (2 * TICKETS) % 2][i % (2 * TICKETS)].sum += from->sum;
            sums[i / (2 * TICKETS) % 2][i % (2 * TICKETS)].squares += from->squares;
        }
        shmem_putmem(storm.tickets[soak_me], sums, sizeof sums, pe);
    }
}

void soak_storm(const struct round *round)
{
    struct draw draw = draw_from(round->seed, DRAW_STORM, 0);

    report_place("storm", 0);
    storm.round = round;
    storm.lanes = 1 + (int)draw_below(&draw, MAX_LANES);
    storm.threads = crew_draw(&draw);
    take_memory();
    split_teams();
    shmem_barrier_all();
    crew_run(storm.threads, run_lanes);
    report_place("after the storm", 0);
    send_tickets();
    shmem_barrier_all();
    compare_memory();
    for (unsigned i = 0; i < 4 * TICKETS; i++)
        compare_tickets(i % 2, i / 2);
    shmem_barrier_all();
    shmem_team_destroy(storm.parity);
    shmem_team_destroy(storm.reversed);
    release_memory();
}

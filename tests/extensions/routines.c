/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Extensions of other libraries: each routine, or one of a family whose members differ by type
 * only.
 */
#include "extensions/ring.h"

#include <shmemx.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static void information(void)
{
    static int object;
    char name[256] = "";
    double before = shmemx_wtime(), after;

    nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
    after = shmemx_wtime();
    check(after - before >= 0.02 && after - before < 5, "wtime-counts-seconds", "%g seconds passed",
          after - before);
    gethostname(name, sizeof name - 1);
    check(strcmp(shmemx_nodename(), name) == 0, "nodename-is-the-host's", "%s", shmemx_nodename());
    check(shmemx_lookup_remote_addr(&object, check_pe()) != NULL, "lookup-own", "it is NULL");
    check(shmemx_lookup_remote_addr(&object, next()) == shmem_ptr(&object, next()), "lookup-is-ptr",
          "they differ");
}

static uint64_t thread_number(void)
{
    return 1;
}

static void threads(void)
{
    int provided = -1, level;

    check_equal(shmemx_init_thread(SHMEMX_THREAD_SINGLE, &provided), 0, "init-thread-two");
    check_equal(provided, shmemx_query_thread(), "init-thread-two");
    shmem_finalize();
    level = shmemx_init_thread(SHMEMX_THREAD_SINGLE);
    check_equal(level, provided, "init-thread-one");
    shmem_finalize();
    shmemx_register_gettid(thread_number);
    shmemx_thread_register();
    shmemx_thread_fence();
    shmemx_thread_quiet();
    shmemx_thread_unregister();
    check_reached("thread-register-does-no-harm");
}

static void transfers(void)
{
    static long dest[8], source[8];
    static int32_t fixed;
    shmem_ctx_t ctx;
    long got = -1;

    memset(dest, 0, sizeof dest);
    for (int i = 0; i < 8; i++)
        source[i] = check_pe() * 10 + i;
    shmem_barrier_all();
    shmemx_long_ibput(dest, source, 3, 4, 2, 2, next());
    shmem_barrier_all();
    check_equal(dest[4], previous() * 10 + 5, "ibput-twin");
    shmemx_ibget64(dest, source, 2, 3, 1, 2, next());
    check_equal(dest[2], next() * 10 + 3, "ibget-twin");
    shmemx_int32_p(&fixed, 70 + check_pe(), next());
    shmem_barrier_all();
    check_equal(shmemx_int32_g(&fixed, next()), 70 + check_pe(), "int32-p-and-g");
    check_equal(shmem_ctx_create(SHMEMX_CTX_BOUNCE_BUFFER, &ctx), 0, "bounce-buffer-is-an-option");
    shmemx_ctx_ibput64(ctx, dest, source, 1, 1, 1, 1, next());
    shmemx_ctx_long_get_nb(ctx, &got, &source[7], 1, next());
    shmem_ctx_quiet(ctx);
    check_equal(got, next() * 10 + 7, "ctx-get-nb");
    shmemx_ctx_long_put_nb(ctx, &dest[6], &source[1], 1, next());
    while (!shmemx_ctx_quiet_test(ctx))
        ;
    check_equal(shmemx_ctx_fence_test(ctx), 1, "fence-test");
    shmem_barrier_all();
    check_equal(dest[0], previous() * 10, "ctx-ibput-twin");
    check_equal(dest[6], previous() * 10 + 1, "ctx-put-nb-complete-by-quiet-test");
    shmem_ctx_destroy(ctx);
    shmem_barrier_all();
}

static void atomics(void)
{
    static int32_t narrow;
    static uint64_t wide;
    static long mixed;
    static int bits;

    narrow = 0;
    wide = 0;
    mixed = bits = 5;
    shmem_barrier_all();
    shmemx_int32_set(&narrow, 3, next());
    check_equal(shmemx_int32_fetch(&narrow, next()), 3, "int32-set");
    shmemx_int32_add(&narrow, 4, next());
    shmemx_int32_inc(&narrow, next());
    check_equal(shmemx_int32_fadd(&narrow, 10, next()), 8, "int32-fadd");
    check_equal(shmemx_int32_finc(&narrow, next()), 18, "int32-finc");
    check_equal(shmemx_int32_swap(&narrow, 20, next()), 19, "int32-swap");
    check_equal(shmemx_int32_cswap(&narrow, 20, 21, next()), 20, "int32-cswap");
    shmemx_uint64_atomic_or(&wide, 0xf0, next());
    shmemx_uint64_atomic_and(&wide, 0x3f, next());
    shmemx_uint64_atomic_xor(&wide, 0x01, next());
    check_equal(shmemx_uint64_atomic_fetch_or(&wide, 2, next()), 0x31, "uint64-bits");
    check_equal(shmemx_uint64_atomic_fetch_and(&wide, 3, next()), 0x33, "uint64-bits");
    check_equal(shmemx_uint64_atomic_fetch_xor(&wide, 3, next()), 3, "uint64-bits");
    shmemx_long_xor(&mixed, 6, next());
    shmemx_int_xor(&bits, 4, next());
    shmem_barrier_all();
    check_equal(narrow, 21, "int32-cswap");
    check_equal(wide, 0, "uint64-bits");
    check_equal(mixed, 3, "long-xor");
    check_equal(bits, 1, "int-xor");
    shmem_barrier_all();
}

static void signals(void)
{
    static uint64_t signal;
    static int64_t ivar;
    static char text[32];
    static int array[3];

    signal = 0;
    ivar = 0;
    shmem_barrier_all();
    shmemx_putmem_signal(text, "by a signal", 12, &signal, 4, next());
    shmem_signal_wait_until(&signal, SHMEM_CMP_EQ, 4);
    check(strcmp(text, "by a signal") == 0, "putmem-signal-sets", "text is %.31s", text);
    shmem_barrier_all();
    shmemx_signal_add(&signal, 3, next());
    shmem_signal_wait_until(&signal, SHMEM_CMP_EQ, 7);
    shmem_barrier_all();
    shmemx_signal_set(&signal, 1, next());
    shmem_signal_wait_until(&signal, SHMEM_CMP_EQ, 1);
    shmem_barrier_all();
    shmemx_int_put_signal_nb(array, (const int[]){1, 2, 3}, 3, &signal, 9, next());
    shmem_signal_wait_until(&signal, SHMEM_CMP_EQ, 9);
    check_equal(array[2], 3, "put-signal-nb");
    shmem_quiet();
    shmemx_int64_set(&ivar, 5, next());
    shmemx_int64_wait(&ivar, 0);
    shmemx_int64_wait_until(&ivar, SHMEM_CMP_EQ, 5);
    check_equal(ivar, 5, "int64-wait");
    shmem_barrier_all();
}

static void counters(void)
{
    static char got[8], text[8];
    shmemx_ct_t ct;
    char dest[8] = "";

    memset(got, 0, sizeof got);
    memcpy(text, "of PE x", 8);
    text[6] = (char)('0' + check_pe());
    shmemx_ct_create(&ct);
    check_equal(shmemx_ct_get(ct), 0, "ct-starts-at-zero");
    shmem_barrier_all();
    shmemx_putmem_ct(ct, got, text, 8, next());
    shmemx_ct_wait(ct, 1);
    check_equal(got[6], '0' + previous(), "ct-put-has-arrived");
    shmem_barrier_all();
    shmemx_getmem_ct(ct, dest, text, 8, next());
    check_equal(dest[6], '0' + next(), "ct-get");
    shmemx_ct_wait(ct, 2);
    check_equal(shmemx_ct_get(ct), 2, "ct-get-counts");
    shmem_barrier_all();
    shmemx_ct_set(ct, 40);
    check_equal(shmemx_ct_get(ct), 40, "ct-set");
    shmemx_ct_free(&ct);
}

/* Counted is what goes to other nodes; how many operations that are is the network's affair. */
static void performance_counters(void)
{
    static long word;
    int far = shmem_ptr(&word, next()) == NULL;
    shmemx_pcntr_t before, after;
    uint64_t value, target;

    shmem_barrier_all();
    shmemx_pcntr_get_all(SHMEM_CTX_DEFAULT, &before);
    shmem_barrier_all();
    shmem_long_put_nbi(&word, &word, 0, next());
    shmem_long_p(&word, 1, next());
    shmem_long_g(&word, next());
    shmem_long_atomic_add(&word, 1, next());
    shmem_quiet();
    shmem_barrier_all();
    shmemx_pcntr_get_all(SHMEM_CTX_DEFAULT, &after);
    check(after.pending_put - before.pending_put >= 2u * (unsigned)far, "pcntr-counts-writes",
          "%llu", (unsigned long long)(after.pending_put - before.pending_put));
    check(after.pending_get - before.pending_get >= (unsigned)far, "pcntr-counts-reads", "%llu",
          (unsigned long long)(after.pending_get - before.pending_get));
    check_equal(after.pending_put, after.completed_put, "pcntr-complete-after-quiet");
    check_equal(after.pending_get, after.completed_get, "pcntr-complete-after-quiet");
    if (shmem_ptr(&word, previous()) == NULL)
        check(after.target > before.target, "pcntr-target", "%llu",
              (unsigned long long)after.target);
    shmemx_pcntr_get_issued_write(SHMEM_CTX_DEFAULT, &value);
    check(value >= after.pending_put, "pcntr-one", "%llu", (unsigned long long)value);
    shmemx_pcntr_get_completed_write(SHMEM_CTX_DEFAULT, &value);
    check(value >= after.completed_put, "pcntr-one", "%llu", (unsigned long long)value);
    shmemx_pcntr_get_issued_read(SHMEM_CTX_DEFAULT, &value);
    check(value >= after.pending_get, "pcntr-one", "%llu", (unsigned long long)value);
    shmemx_pcntr_get_completed_read(SHMEM_CTX_DEFAULT, &value);
    check(value >= after.completed_get, "pcntr-one", "%llu", (unsigned long long)value);
    shmemx_pcntr_get_completed_target(&target);
    check(target >= after.target, "pcntr-one", "%llu", (unsigned long long)target);
    shmem_barrier_all();
}

/* Quiet and its relatives: a put that they have completed is at its target. */
static void order(void)
{
    static long large[50000], filled[50000];
    static long flag;

    for (int way = 0; way < 3; way++) {
        check_case("way %d", way);
        for (int i = 0; i < 50000; i++)
            filled[i] = check_pe() * 3 + way + i;
        flag = 0;
        shmem_barrier_all();
        shmem_long_put_nbi(large, filled, 50000, next());
        if (way == 0)
            while (!shmemx_quiet_test())
                ;
        else if (way == 1)
            shmemx_pe_quiet(next());
        else
            shmemx_local_complete();
        if (way == 2) {
            shmemx_pe_fence(next());
            check_equal(shmemx_fence_test(), 1, "fence-test");
        }
        shmem_long_atomic_set(&flag, 1, next());
        shmem_long_wait_until(&flag, SHMEM_CMP_EQ, 1);
        check_equal(large[49999], previous() * 3 + way + 49999, "quiet-test-and-kin-complete");
        shmem_barrier_all();
    }
    shmemx_session_start(SHMEM_CTX_DEFAULT, SHMEM_CTX_SESSION_BATCH);
    shmemx_session_stop(SHMEM_CTX_DEFAULT);
    check_reached("session-twins");
}

/* Position in rows of two and planes of four PEs, by plain arithmetic. */
static void teams(void)
{
    int me = check_pe(), n = check_n_pes();
    shmem_team_t x, y, z, every_other;

    check_equal(shmemx_team_n_pes(SHMEMX_TEAM_NODE), shmem_team_n_pes(SHMEM_TEAM_SHARED),
                "team-node");
    check(shmemx_team_my_pe(SHMEMX_TEAM_NODE) >= 0, "team-node", "this PE is not in it");
    shmemx_team_split_strided(SHMEM_TEAM_WORLD, 0, 2, (n + 1) / 2, &every_other);
    if (me % 2 == 0) {
        check_equal(shmemx_team_my_pe(every_other), me / 2, "team-split-strided-twin");
        check_equal(shmemx_team_translate_pe(every_other, me / 2, SHMEM_TEAM_WORLD), me,
                    "team-translate-twin");
        shmemx_team_destroy(&every_other);
    }
    check(every_other == SHMEM_TEAM_INVALID, "team-destroy-forgets", "the handle is still there");
    shmemx_team_split_2d(SHMEM_TEAM_WORLD, 2, (n + 1) / 2, &x, &y);
    check_equal(shmemx_team_my_pe(x), me % 2, "team-split-2d-twin");
    check_equal(shmemx_team_my_pe(y), me / 2, "team-split-2d-twin");
    shmemx_team_destroy(&x);
    shmemx_team_destroy(&y);
    shmemx_team_split_3d(SHMEM_TEAM_WORLD, 2, 2, (n + 3) / 4, &x, &y, &z);
    check_equal(shmemx_team_my_pe(x), me % 2, "team-split-3d");
    check_equal(shmemx_team_my_pe(y), me / 2 % 2, "team-split-3d");
    check_equal(shmemx_team_my_pe(z), me / 4, "team-split-3d");
    check_equal(shmem_team_sync(z), 0, "team-split-3d");
    check_equal(shmemx_team_translate_pe(z, 0, SHMEM_TEAM_WORLD), me % 4, "team-split-3d");
}

/* The sum of the members' numbers in the world; every member must get it. */
static void check_sum(shmem_team_t team, int expected, const char *name)
{
    static int sum, mine;

    mine = check_pe();
    check_equal(shmem_int_sum_reduce(team, &sum, &mine, 1), 0, name);
    check_equal(sum, expected, name);
}

static void colors(void)
{
    int me = check_pe(), n = check_n_pes(), odd = me % 2, expected = 0;
    shmem_team_t team, again;

    for (int pe = odd; pe < n; pe += 2)
        expected += pe;
    shmemx_team_split_color(SHMEM_TEAM_WORLD, odd, 0, &team);
    check_equal(shmem_team_my_pe(team), me / 2, "team-split-color");
    check_sum(team, expected, "team-split-color");
    shmemx_team_split(SHMEM_TEAM_WORLD, odd + 7, n - me, &again);
    check_equal(shmem_team_my_pe(again), shmem_team_n_pes(team) - 1 - me / 2,
                "team-split-color-orders-by-key");
    check_sum(again, expected, "team-split-color-orders-by-key");
    shmemx_team_destroy(&again);
    shmemx_team_destroy(&team);
    shmemx_team_split(SHMEM_TEAM_WORLD, me == 2 || me > 3, 0, &team); /* 0, 1, 3 are no range */
    check((team == SHMEM_TEAM_INVALID) == (n > 3), "team-split-color-refuses", "with %d PEs", n);
    shmem_barrier_all();
}

static void scans(void)
{
    static int dest[2], source[2];

    source[0] = check_pe() + 1;
    source[1] = 2;
    shmem_barrier_all();
    check_equal(shmemx_int_sum_inscan(SHMEM_TEAM_WORLD, dest, source, 2), 0, "inscan-twin");
    check_equal(dest[0], (check_pe() + 1) * (check_pe() + 2) / 2, "inscan-twin");
    check_equal(shmemx_int_sum_exscan(SHMEM_TEAM_WORLD, dest, source, 2), 0, "exscan-twin");
    check_equal(dest[1], 2 * check_pe(), "exscan-twin");
    shmem_barrier_all();
}

/* ---- alltoallv ---- */

enum { MOST_PES = 16, BLOCK = 5000, ROOM = MOST_PES * BLOCK };

static unsigned char sent[ROOM], got[ROOM + 1];
static size_t s_offsets[MOST_PES], s_sizes[MOST_PES], t_offsets[MOST_PES], t_sizes[MOST_PES];
static long psync[2][SHMEM_ALLTOALL_SYNC_SIZE];

/* Bytes from PE `from` to PE `to`; some have none, some blocks are large. */
static size_t length(int from, int to)
{
    static const size_t lengths[] = {7, 0, 1, BLOCK, 300};

    return lengths[(from * 3 + to) % 5];
}

/* Blocks lie in an order of each sender's own, which is why offsets travel. */
static void prepare(void)
{
    int n = check_n_pes(), me = check_pe();

    memset(got, 0, sizeof got);
    for (int to = 0; to < n; to++) {
        s_offsets[to] = (size_t)((to + me) % n) * BLOCK;
        s_sizes[to] = length(me, to);
        for (size_t i = 0; i < s_sizes[to]; i++)
            sent[s_offsets[to] + i] = (unsigned char)oracle_bits(me, i, (unsigned)to);
        t_offsets[to] = (size_t)(n - 1 - to) * BLOCK + 1;
        t_sizes[to] = SIZE_MAX; /* a result */
    }
}

static void check_block(int from, size_t offset, const char *name)
{
    size_t nbytes = length(from, check_pe()), i = 0;

    while (i < nbytes &&
           got[offset + i] == (unsigned char)oracle_bits(from, i, (unsigned)check_pe()))
        i++;
    check(i == nbytes, name, "byte %zu of %zu from PE %d", i, nbytes, from);
}

static void irregular_alltoall(void)
{
    int n = check_n_pes();
    size_t end = 0, total = 0;

    if (n > MOST_PES)
        return;
    for (int way = 0; way < 2; way++) {
        check_case("alltoallv, way %d", way);
        prepare();
        if (way)
            shmemx_team_alltoallv(got, t_offsets, t_sizes, sent, s_offsets, s_sizes,
                                  SHMEM_TEAM_WORLD, psync[way]);
        else
            shmemx_alltoallv(got, t_offsets, t_sizes, sent, s_offsets, s_sizes, 0, 0, n,
                             psync[way]);
        for (int from = 0; from < n; from++) {
            check_block(from, t_offsets[from], "alltoallv-places-blocks");
            check_equal(t_sizes[from], length(from, check_pe()), "alltoallv-tells-sizes");
        }
        check_equal(got[0], 0, "alltoallv-places-blocks");
        shmem_barrier_all();
    }
    check_case("alltoallv_packed");
    prepare();
    shmemx_alltoallv_packed(got, sizeof got, &total, sent, s_offsets, s_sizes, 0, 0, n, psync[0]);
    for (int from = 0; from < n; from++) {
        check_block(from, end, "alltoallv-packed");
        end += length(from, check_pe());
    }
    check_equal(total, end, "alltoallv-packed-size");
    check_equal(got[end], 0, "alltoallv-packed");
    shmem_barrier_all();
}

int main(void)
{
    check_init("extensions/routines");
    information();
    threads();
    transfers();
    atomics();
    signals();
    counters();
    performance_counters();
    order();
    teams();
    colors();
    scans();
    irregular_alltoall();
    return check_finish();
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds which accesses a call makes, and what the call completes, releases and learns. */
#include "tools/check/race/race.h"

#include <pthread.h>
#include <string.h>

#include "tools/check/args/contexts.h"
#include "tools/check/args/locks.h"
#include "tools/check/race/access_log.h"
#include "tools/check/race/peer_memory.h"
#include "tools/check/race/program_accesses.h"
#include "tools/check/race/quick_accesses.h"
#include "tools/check/race/shadow_cells.h"
#include "tools/check/race/shadow_store.h"
#include "tools/check/race/site_table.h"
#include "tools/check/race/threads.h"
#include "tools/check/report/findings.h"
#include "tools/check/shared/identity.h"
#include "tools/check/shared/pages.h"
#include "tools/symmetric.h"

#define MOST_FETCHED 64

enum {
    PUT = ACCESS_WRITES | ACCESS_FENCED,
    FETCH = ACCESS_ATOMIC | ACCESS_FENCED,
    UPDATE = FETCH | ACCESS_WRITES,
};

bool tern_check_race_is_on;

/* Words fetched by nonblocking operations, whose old values a quiet delivers. */
static struct {
    unsigned n;
    uint64_t lost; /* contexts with more words than fit: their quiet learns everything */
    struct {
        uintptr_t word;
        uint64_t bytes;
        int target, ctx;
    } words[MOST_FETCHED];
} fetched;

/* ---- start ---- */

static void stop(void)
{
    tern_check_race_is_on = false;
    tern_check_quick_accesses_stop();
}

size_t tern_check_race_bytes(void)
{
    int n = tern_check_n_pes();

    if (!tern_check_findings_wants_races())
        return 0;
    return tern_check_pages_round_up(tern_check_clocks_bytes(n)) +
           tern_check_pages_round_up(tern_check_site_table_bytes(n)) +
           tern_check_pages_round_up(tern_check_shadow_cells_bytes(n)) +
           tern_check_pages_round_up(tern_check_shadow_store_bytes(n));
}

/* There has to be memory for all PEs' records, and a way to name addresses for all PEs. */
static bool can_look(const void *shared)
{
    return shared && tern_symmetric_heap && tern_check_n_pes() < MAX_PES;
}

static void start(char *memory)
{
    int n = tern_check_n_pes(), me = tern_check_my_pe();

    tern_check_clocks_start(memory, n, me);
    memory += tern_check_pages_round_up(tern_check_clocks_bytes(n));
    tern_check_site_table_start(memory, me);
    memory += tern_check_pages_round_up(tern_check_site_table_bytes(n));
    tern_check_shadow_cells_start(memory, n);
    memory += tern_check_pages_round_up(tern_check_shadow_cells_bytes(n));
    tern_check_shadow_store_start(memory, n);
    pthread_atfork(NULL, NULL, stop); /* a child shares the memory, but is no PE */
    tern_check_race_is_on = true;
    tern_check_quick_accesses_start();
    tern_check_threads_start();
    tern_check_program_accesses_start();
}

/* Not resumed once it has stopped: missing accesses would cause false positives. */
void tern_check_race_open(void *shared, bool speaks)
{
    static bool was_open;
    bool is_first = !was_open;

    was_open = true;
    if (!tern_check_findings_wants_races() || (!is_first && !tern_check_race_is_on))
        return;
    if (!can_look(shared)) {
        stop();
        if (speaks)
            tern_check_findings_print("check: no races are looked for: all PEs have to be on one "
                                      "machine, with --check=races, and able to share memory\n");
    } else if (is_first) {
        start(shared);
    }
}

/* ---- transfers ---- */

static void log_word(const struct tern_call *call, int target, uintptr_t start, uint64_t bytes,
                     unsigned how, int ctx)
{
    const struct tern_check_pieces word = {start, bytes, bytes, 1};

    tern_check_access_log_add(call, target, &word, how, ctx);
}

/* The signal's update has the same time as the data: a PE that sees one knows the other. */
static void put_signal(struct tern_call *call, int target, int ctx)
{
    uintptr_t signal = (uintptr_t)tern_call_pointer(call, TERN_SIG_ADDR);

    log_word(call, target, signal, sizeof(uint64_t), UPDATE | ACCESS_WIDE, ctx);
}

static void put(struct tern_call *call, bool is_nbi)
{
    const struct tern_routine *routine = call->routine;
    bool signals = routine->place[TERN_SIG_ADDR];
    int target = tern_check_contexts_pe(call), ctx = tern_check_contexts_number(call);
    struct tern_check_pieces pieces;

    if (routine->place[TERN_SOURCE]) {
        tern_check_access_log_pieces(call, TERN_SOURCE, TERN_SST, &pieces);
        tern_check_access_log_add_local(call, &pieces, false, is_nbi ? ctx : CTX_AT_ONCE);
    }
    tern_check_access_log_pieces(call, TERN_DEST, TERN_DST, &pieces);
    tern_check_access_log_add(call, target, &pieces, signals ? PUT | ACCESS_SIGNALLED : PUT, ctx);
    if (signals)
        put_signal(call, target, ctx);
    else
        tern_check_quick_accesses_note(call, PUT);
}

static void get(struct tern_call *call, bool is_nbi)
{
    int ctx = is_nbi ? tern_check_contexts_number(call) : CTX_AT_ONCE;
    struct tern_check_pieces pieces;

    tern_check_access_log_pieces(call, TERN_SOURCE, TERN_SST, &pieces);
    tern_check_access_log_add(call, tern_check_contexts_pe(call), &pieces, 0, ctx);
    tern_check_quick_accesses_note(call, 0);
    if (call->routine->place[TERN_DEST]) {
        tern_check_access_log_pieces(call, TERN_DEST, TERN_DST, &pieces);
        tern_check_access_log_add_local(call, &pieces, true, ctx);
    }
}

/* ---- atomic operations ---- */

static bool only_fetches(const struct tern_routine *routine)
{
    return !routine->place[TERN_DEST];
}

static uintptr_t target_word(struct tern_call *call)
{
    return (uintptr_t)tern_call_pointer(call,
                                        only_fetches(call->routine) ? TERN_SOURCE : TERN_DEST);
}

/* The argument behind ctx, or the first. */
static uintptr_t fetch_word(const struct tern_call *call)
{
    return (uintptr_t)call->arg[call->routine->place[TERN_CTX]].p;
}

/* What tells atomic operations that exclude each other from those that do not. */
static unsigned type_of(const struct tern_routine *routine)
{
    static uint8_t known[TERN_MOST_ROUTINES]; /* the bits, shifted, and one more; 0: not known */
    uint8_t *type = &known[routine - tern_routines];

    if (!*type)
        *type = (uint8_t)(1u | (routine->element == 8 ? ACCESS_WIDE / 128 : 0u) |
                          (strstr(routine->name, "float") || strstr(routine->name, "double")
                               ? ACCESS_REAL / 128
                               : 0u));
    return (*type & ~1u) * 128u;
}

static void atomic(struct tern_call *call)
{
    const struct tern_routine *routine = call->routine;
    bool is_done = routine->kind == TERN_KIND_AMO_FETCH;
    unsigned how = (only_fetches(routine) ? FETCH : UPDATE) | type_of(routine);
    int ctx = tern_check_contexts_number(call);
    const struct tern_check_pieces fetch = {fetch_word(call), routine->element, 0, 1};

    if (routine->kind == TERN_KIND_AMO_NBI)
        tern_check_access_log_add_local(call, &fetch, true, ctx);
    log_word(call, tern_check_contexts_pe(call), target_word(call), routine->element, how,
             is_done ? CTX_AT_ONCE : ctx);
    tern_check_quick_accesses_note(call, how);
}

/* The PE that fetches a word learns what earlier writers of the word had done. */
static void learn_fetched(struct tern_call *call)
{
    const struct tern_routine *routine = call->routine;
    int target = tern_check_contexts_pe(call);
    unsigned i = fetched.n;

    if (target < 0)
        return;
    tern_check_access_log_learn(target, target_word(call), routine->element);
    if (!tern_check_clocks_sees_all())
        tern_check_clocks_learn_all();
    if (routine->kind != TERN_KIND_AMO_NBI)
        return;
    if (i == MOST_FETCHED) {
        fetched.lost |= UINT64_C(1) << tern_check_contexts_number(call);
        return;
    }
    fetched.words[i].word = target_word(call);
    fetched.words[i].bytes = routine->element;
    fetched.words[i].target = target;
    fetched.words[i].ctx = tern_check_contexts_number(call);
    fetched.n++;
}

bool tern_check_race_has_fetched(void)
{
    return fetched.n > 0 || fetched.lost;
}

void tern_check_race_learn_by_quiet(int ctx)
{
    uint64_t bit = UINT64_C(1) << ctx;
    unsigned kept = 0;

    if (fetched.lost & bit)
        tern_check_clocks_learn_all();
    fetched.lost &= ~bit;
    for (unsigned i = 0; i < fetched.n; i++)
        if (fetched.words[i].ctx == ctx)
            tern_check_access_log_learn(fetched.words[i].target, fetched.words[i].word,
                                        fetched.words[i].bytes);
        else
            fetched.words[kept++] = fetched.words[i];
    fetched.n = kept;
}

/* ---- waits ---- */

/* Variables of locks and of the oldest routines are long, signals have 64 bits. */
static uint64_t variable_bytes(const struct tern_routine *routine)
{
    if (routine->place[TERN_SIG_ADDR])
        return sizeof(uint64_t);
    return routine->element > 1 ? routine->element : sizeof(long);
}

static uintptr_t first_variable(struct tern_call *call)
{
    return (uintptr_t)tern_call_pointer(call, call->routine->place[TERN_SIG_ADDR] ? TERN_SIG_ADDR
                                                                                  : TERN_IVAR);
}

static uint64_t n_variables(struct tern_call *call)
{
    return (uint64_t)tern_call_number(call, TERN_NELEMS, 1);
}

static void await(struct tern_call *call)
{
    tern_check_access_log_await(first_variable(call),
                                n_variables(call) * variable_bytes(call->routine));
}

static void learn_variables(struct tern_call *call, uint64_t first, uint64_t n)
{
    uint64_t bytes = variable_bytes(call->routine);

    tern_check_access_log_learn(tern_check_my_pe(), first_variable(call) + first * bytes,
                                n * bytes);
    if (!tern_check_clocks_sees_all())
        tern_check_clocks_learn_all();
}

/* Learns from the variables that have ended the wait or made the test succeed. */
static void learn_waited(struct tern_call *call)
{
    const struct tern_routine *routine = call->routine;
    const size_t *indices = tern_call_pointer(call, TERN_INDICES);

    if (strstr(routine->name, "_some")) {
        for (uint64_t i = 0; i < call->result.u; i++)
            learn_variables(call, indices[i], 1);
    } else if (strstr(routine->name, "_any")) {
        if (call->result.u != SIZE_MAX)
            learn_variables(call, call->result.u, 1);
    } else if (routine->kind == TERN_KIND_WAIT || routine->place[TERN_SIG_ADDR] || call->result.i) {
        learn_variables(call, 0, n_variables(call));
    }
}

static void learn_lock(const struct tern_call *call)
{
    if (call->routine->kind == TERN_KIND_WAIT ||
        (call->routine->kind == TERN_KIND_TEST && call->result.i == 0))
        tern_check_access_log_set_lock(call->arg[0].p);
}

/* ---- order ---- */

/* Whether an extension has no effect on other PEs. */
static bool is_harmless(const char *name)
{
    static const char *const parts[] = {"wtime",        "nodename",     "cache",      "udcflush",
                                        "pcntr",        "_thread",      "team_my_pe", "team_n_pes",
                                        "translate_pe", "heap_preinit", "session"};

    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (strstr(name, parts[i]))
            return true;
    return false;
}

/* An unknown routine may complete operations, and may order this PE with others. */
static void assume_order(const struct tern_call *call)
{
    if (is_harmless(call->routine->name))
        return;
    tern_check_access_log_quiet_all();
    tern_check_clocks_publish();
    tern_check_clocks_lose_sight();
}

/*
 * Stores by this pointer may set flags. They are seen if the program was compiled for it, and if
 * the PE is known: shmem_team_ptr() counts the PEs of its team.
 */
static void note_pointer(const struct tern_call *call)
{
    const char *name = call->routine->name;
    bool is_known = strcmp(name, "shmem_ptr") == 0;

    if (!call->result.p || !(is_known || strcmp(name, "shmem_team_ptr") == 0))
        return;
    if (is_known && tern_check_program_accesses_are_seen)
        tern_check_peer_memory_add(call->result.p, call->arg[0].p, (int)call->arg[1].i);
    else
        tern_check_clocks_lose_sight();
}

/* ---- calls ---- */

void tern_check_race_before(struct tern_call *call)
{
    tern_check_threads_enter();
    if (call->routine->kind != TERN_KIND_QUERY)
        tern_check_program_accesses_flush();
    switch (call->routine->kind) {
    case TERN_KIND_PUT:
    case TERN_KIND_PUT_SIGNAL:
        put(call, false);
        break;
    case TERN_KIND_PUT_NBI:
    case TERN_KIND_PUT_SIGNAL_NBI:
        put(call, true);
        break;
    case TERN_KIND_GET:
    case TERN_KIND_GET_NBI:
        get(call, call->routine->kind == TERN_KIND_GET_NBI);
        break;
    case TERN_KIND_AMO:
    case TERN_KIND_AMO_FETCH:
    case TERN_KIND_AMO_NBI:
        atomic(call);
        break;
    case TERN_KIND_SIGNAL:
        put_signal(call, tern_check_contexts_pe(call), tern_check_contexts_number(call));
        break;
    case TERN_KIND_WAIT:
    case TERN_KIND_TEST:
        if (!tern_check_locks_is_routine(call->routine))
            await(call);
        break;
    case TERN_KIND_LOCK_CLEAR:
        tern_check_access_log_quiet(CTX_DEFAULT);
        tern_check_access_log_clear_lock(call, call->arg[0].p);
        break;
    case TERN_KIND_FENCE:
        if (tern_check_contexts_number(call) != CTX_AT_ONCE)
            tern_check_clocks_fence(tern_check_contexts_number(call));
        break;
    case TERN_KIND_QUIET:
    case TERN_KIND_PE_QUIET:
        tern_check_access_log_quiet(tern_check_contexts_number(call));
        break;
    case TERN_KIND_CTX_DESTROY:
        tern_check_access_log_quiet(tern_check_contexts_number(call));
        break;
    case TERN_KIND_OTHER:
        assume_order(call);
        break;
    default:
        break;
    }
}

void tern_check_race_after(struct tern_call *call)
{
    switch (call->routine->kind) {
    case TERN_KIND_AMO_FETCH:
    case TERN_KIND_AMO_NBI:
        learn_fetched(call);
        break;
    case TERN_KIND_WAIT:
    case TERN_KIND_TEST:
        if (tern_check_locks_is_routine(call->routine))
            learn_lock(call);
        else
            learn_waited(call);
        break;
    case TERN_KIND_QUIET:
    case TERN_KIND_PE_QUIET:
        tern_check_race_learn_by_quiet(tern_check_contexts_number(call));
        break;
    case TERN_KIND_CTX_DESTROY:
        tern_check_race_learn_by_quiet(tern_check_contexts_number(call));
        tern_check_contexts_release_number(call);
        break;
    case TERN_KIND_CTX_CREATE:
        tern_check_contexts_assign_number(call);
        break;
    case TERN_KIND_QUERY:
        note_pointer(call);
        break;
    case TERN_KIND_OTHER:
        if (!is_harmless(call->routine->name))
            tern_check_clocks_learn_all();
        break;
    default:
        break;
    }
}

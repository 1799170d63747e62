/* SPDX-License-Identifier: BSD-3-Clause */
/* Notices long waits, asks all PEs of the machine what they wait for, and prints the table. */
#include "tools/check/hang/hang_table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/parse_uint.h"
#include "base/text_buffer.h"
#include "base/tool_protocol.h"
#include "tools/check/hang/wait_text.h"
#include "tools/check/report/findings.h"
#include "tools/check/shared/identity.h"
#include "tools/clock.h"

#define MS UINT64_C(1000000)
#define SECOND (1000 * MS)

#define TICK_MS 250
#define IDLE_MS 3600000

/* How long to wait for PEs' answers. A PE that does not answer is stopped, or very busy. */
#define PATIENCE_MS 3000

/* After a mismatch of collective calls there is little hope. */
#define MISMATCH_LIMIT (5 * SECOND)

/*
 * What the leader knows of a thread: the turn of its call, since when it has seen that, and whether
 * a table was printed since.
 */
struct watched {
    uint32_t turn;
    bool printed;
    uint64_t since;
};

static uint64_t limit; /* of a wait, in nanoseconds; 0: none */
static uint64_t quiet_until;
static struct watched *watched;

void tern_check_hang_table_start(void)
{
    const char *text = getenv(TERN_CHECK_HANG_VARIABLE);
    uint64_t seconds;

    if (!text)
        text = TERN_CHECK_HANG_DEFAULT;
    if (tern_parse_uint(text, TERN_CHECK_HANG_MOST, &seconds) != 0) {
        tern_check_findings_print(
            "check: " TERN_CHECK_HANG_VARIABLE
            " is \"%.100s\", and has to be a whole number of seconds, at most %llu\n",
            text, (unsigned long long)TERN_CHECK_HANG_MOST);
        _exit(EXIT_FAILURE);
    }
    limit = seconds * SECOND;
}

int tern_check_hang_table_pause_ms(const struct tern_check_board *board,
                                   const struct tern_check_slot *slot)
{
    bool leads = __atomic_load_n(&board->leader, __ATOMIC_RELAXED) == slot - board->slots;

    return leads ? TICK_MS : IDLE_MS;
}

static struct watched *watched_of(int slot, int thread)
{
    return &watched[slot * MAX_THREADS + thread];
}

/* ---- lines ---- */

struct line {
    uint64_t age; /* of the longest wait, in nanoseconds; 0: no wait */
    bool *has_pe; /* by slot */
    char text[1024];
};

struct table {
    const struct tern_check_board *board;
    struct line *lines;
    int n;
};

static void add_line(struct table *table, int slot, uint64_t age, const char *text)
{
    struct line *line = table->lines;

    while (line < table->lines + table->n &&
           (strcmp(line->text, text) != 0 || (line->age == 0) != (age == 0)))
        line++;
    if (line == table->lines + table->n) {
        line->has_pe = calloc((size_t)table->board->n_slots, sizeof *line->has_pe);
        if (!line->has_pe)
            return;
        line->age = 0;
        snprintf(line->text, sizeof line->text, "%s", text);
        table->n++;
    }
    line->has_pe[slot] = true;
    if (age > line->age)
        line->age = age;
}

/* ---- waits ---- */

static bool has_mismatch(const struct tern_check_board *board)
{
    return __atomic_load_n(&board->mismatch, __ATOMIC_RELAXED);
}

/* How long a wait may take, 0: without a limit. */
static uint64_t limit_of(const struct tern_check_board *board)
{
    return has_mismatch(board) && limit > MISMATCH_LIMIT ? MISMATCH_LIMIT : limit;
}

static bool has_answered(const struct tern_check_slot *slot)
{
    /* partner: tern_check_wait_text_update() */
    uint32_t answered = __atomic_load_n(&slot->answered, __ATOMIC_ACQUIRE);

    return answered == __atomic_load_n(&slot->asked, __ATOMIC_RELAXED);
}

/* How many calls of the group the PE has made; -1 if the PE is not known to be a member. */
static int64_t count_of(const struct tern_check_slot *slot, uint64_t key)
{
    for (int i = 0; i < MAX_GROUPS; i++)
        if (__atomic_load_n(&slot->groups[i].key, __ATOMIC_ACQUIRE) == key)
            return (int64_t)__atomic_load_n(&slot->groups[i].count, __ATOMIC_RELAXED);
    return -1;
}

/* Whether the PE has to make the call that is waited in, as far as that is known. */
static bool is_member(const struct tern_check_slot *slot, const struct tern_check_wait_text *wait)
{
    int from_start = slot->pe - wait->start;

    if (wait->size == 0)
        return wait->group == WORLD_KEY;
    return from_start >= 0 && from_start % (1 << wait->log_stride) == 0 &&
           from_start >> wait->log_stride < wait->size;
}

static void add_missing(const struct tern_check_board *board,
                        const struct tern_check_wait_text *wait, char *text, size_t size)
{
    bool *missing = calloc((size_t)board->n_slots, sizeof *missing);
    bool any = false;

    for (int i = 0; missing && i < board->n_slots; i++) {
        int64_t count = count_of(&board->slots[i], wait->group);

        missing[i] = count < 0 ? is_member(&board->slots[i], wait) : count <= (int64_t)wait->number;
        any |= missing[i];
    }
    if (any) {
        int n = 0;

        tern_check_board_add_pes(board, missing, text, size);
        for (int i = 0; i < board->n_slots; i++)
            n += missing[i];
        tern_text_buffer_add(text, size, n == 1 ? " has not arrived" : " have not arrived");
    } else
        tern_text_buffer_add(text, size, "all have arrived");
    free(missing);
}

static void add_holder(uint64_t name, char *text, size_t size)
{
    struct tern_check_portable_location location;
    int pe;

    if (tern_check_board_find_holder(name, &pe, &location))
        tern_text_buffer_add(text, size, "; PE %d holds it since %s", pe,
                             tern_check_portable_location_text(&location));
}

static void describe_wait(const struct tern_check_board *board,
                          const struct tern_check_wait_text *wait, char *text, size_t size)
{
    snprintf(text, size, "%s at %s", tern_routines[wait->routine].name,
             tern_check_portable_location_text(&wait->location));
    if (wait->text[0] && !wait->group)
        tern_text_buffer_add(text, size, "%s %s", wait->lock ? ": lock" : ":", wait->text);
    if (wait->lock)
        add_holder(wait->lock, text, size);
    if (wait->group) {
        tern_text_buffer_add(text, size, ": ");
        add_missing(board, wait, text, size);
        if (wait->text[0])
            tern_text_buffer_add(text, size, "; %s", wait->text);
    }
}

/*
 * Adds the lines of a PE. Returns whether the PE can't proceed: all of its threads wait, or it has
 * ended.
 */
static bool describe_slot(struct table *table, int i, uint64_t now)
{
    const struct tern_check_slot *slot = &table->board->slots[i];
    int state = __atomic_load_n(&slot->state, __ATOMIC_ACQUIRE), n = 0;
    char text[1024];

    if (state == SLOT_FINALIZED || state == SLOT_ENDED) {
        add_line(table, i, 0,
                 state == SLOT_ENDED ? "has ended" : "has returned from shmem_finalize");
        return true;
    }
    if (!has_answered(slot)) {
        add_line(table, i, 0, "does not answer");
        return false;
    }
    for (int k = 0; k < MAX_THREADS; k++) {
        const struct tern_check_wait_text *wait = &slot->wait_texts[k];

        if (wait->turn % 2 == 0)
            continue;
        describe_wait(table->board, wait, text, sizeof text);
        add_line(table, i, watched_of(i, k)->turn == wait->turn ? now - watched_of(i, k)->since : 1,
                 text);
        n++;
    }
    if (n == 0)
        add_line(table, i, 0, "in no blocking call");
    return n > 0 && (!slot->threaded || has_mismatch(table->board));
}

static void print_line(const struct table *table, struct line *line)
{
    char pes[128] = "";

    tern_check_board_add_pes(table->board, line->has_pe, pes, sizeof pes);
    if (line->age)
        tern_check_findings_print("    %-10s %6.1f s  %s\n", pes,
                                  (double)line->age / (double)SECOND, line->text);
    else
        tern_check_findings_print("    %-10s           %s\n", pes, line->text);
    free(line->has_pe);
}

/* ---- the table ---- */

static void ask_all(struct tern_check_board *board, struct tern_check_slot *mine)
{
    struct timespec pause = {0, 5 * (long)MS};
    bool open = true;

    for (int i = 0; i < board->n_slots; i++)
        __atomic_add_fetch(&board->slots[i].asked, 1, __ATOMIC_RELAXED);
    tern_check_board_ring(&board->bell);
    tern_check_wait_text_update(mine);
    for (int ms = 0; open && ms < PATIENCE_MS; ms += 5) {
        open = false;
        for (int i = 0; i < board->n_slots; i++) {
            struct tern_check_slot *slot = &board->slots[i];

            open |= __atomic_load_n(&slot->state, __ATOMIC_RELAXED) != SLOT_ENDED &&
                    !has_answered(slot);
        }
        if (open)
            nanosleep(&pause, NULL);
    }
}

/* Returns whether all PEs of the job wait or have ended; after a mismatch, all of the machine. */
static bool print_table(struct tern_check_board *board, struct tern_check_slot *mine)
{
    struct table table = {.board = board};
    bool all = has_mismatch(board) || board->n_slots == tern_check_n_pes();
    uint64_t now = tern_clock_ns();

    table.lines = calloc((size_t)board->n_slots * MAX_THREADS, sizeof *table.lines);
    if (!table.lines)
        return false;
    ask_all(board, mine);
    for (int i = 0; i < board->n_slots; i++)
        all &= describe_slot(&table, i, now);
    for (int i = 0; i < table.n; i++)
        print_line(&table, &table.lines[i]);
    if (board->n_slots < tern_check_n_pes())
        tern_check_findings_print("    PEs on other machines are not shown here\n");
    free(table.lines);
    return all;
}

/*
 * Updates what is known of all threads. *longest: the longest wait. Returns whether any wait is too
 * long and in no table yet.
 */
static bool find_long_wait(const struct tern_check_board *board, uint64_t now, uint64_t *longest)
{
    uint64_t most = limit_of(board);
    bool found = false;

    *longest = 0;
    for (int i = 0; i < board->n_slots; i++)
        for (int k = 0; k < MAX_THREADS; k++) {
            struct watched *thread = watched_of(i, k);
            uint32_t turn = __atomic_load_n(&board->slots[i].waits[k].turn, __ATOMIC_ACQUIRE);

            if (thread->turn != turn)
                *thread = (struct watched){.turn = turn, .since = now};
            if (turn % 2 == 0)
                continue;
            if (now - thread->since > *longest)
                *longest = now - thread->since;
            found |= most && !thread->printed && now - thread->since >= most;
        }
    return found;
}

static void mark_printed(const struct tern_check_board *board)
{
    for (int i = 0; i < board->n_slots * MAX_THREADS; i++)
        watched[i].printed = true;
}

static void report_deadlock(const struct tern_check_board *board)
{
    if (!has_mismatch(board)) {
        tern_check_findings_report(NULL, FINDING_DEADLOCK,
                                   "all PEs wait or have ended: see the table above");
        return;
    }
    tern_check_findings_report(NULL, FINDING_DEADLOCK,
                               "all PEs wait or have ended, after collective calls that do not "
                               "match: the job ends");
    tern_check_findings_stop();
}

void tern_check_hang_table_poll(struct tern_check_board *board, struct tern_check_slot *mine)
{
    uint32_t wanted = __atomic_load_n(&board->wanted, __ATOMIC_RELAXED);
    uint64_t now = tern_clock_ns(), longest;
    bool is_long, all;

    if (!watched)
        watched = calloc((size_t)board->n_slots * MAX_THREADS, sizeof *watched);
    if (!watched)
        return;
    is_long = find_long_wait(board, now, &longest) && now >= quiet_until;
    if (wanted == __atomic_load_n(&board->handled, __ATOMIC_RELAXED) && !is_long)
        return;
    __atomic_store_n(&board->handled, wanted, __ATOMIC_RELAXED);
    if (is_long)
        tern_check_findings_print("check: a PE has waited for %.1f s\n",
                                  (double)longest / (double)SECOND);
    else
        tern_check_findings_print("check: what the PEs wait for\n");
    all = print_table(board, mine);
    mark_printed(board);
    quiet_until = now + limit_of(board);
    if (is_long && all)
        report_deadlock(board);
}

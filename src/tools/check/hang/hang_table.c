/* SPDX-License-Identifier: BSD-3-Clause */
/* Notices that PEs wait for long, asks all of the machine what for, and prints what they say. */
#include "tools/check/hang/hang_table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/tool.h"
#include "base/whole.h"
#include "tools/check/hang/wait_text.h"
#include "tools/check/report/findings.h"
#include "tools/check/shared/identity.h"
#include "tools/check/shared/text.h"
#include "tools/clock.h"

#define MS UINT64_C(1000000)
#define SECOND (1000 * MS)

#define TICK_MS 250
#define IDLE_MS 3600000

/* For PEs to answer; one that does not is stopped, or very busy. */
#define PATIENCE_MS 3000

/* What the leader has seen of a thread: the turn of its call, since when, and if that was told. */
struct seen {
    uint32_t turn;
    bool told;
    uint64_t since;
};

static uint64_t limit; /* of a wait, 0: none */
static uint64_t quiet_until;
static struct seen *seen;

void tern_check_table_start(void)
{
    const char *text = getenv(TERN_CHECK_HANG_VARIABLE);
    uint64_t seconds;

    if (!text)
        text = TERN_CHECK_HANG_DEFAULT;
    if (tern_whole_read(text, TERN_CHECK_HANG_MOST, &seconds) != 0) {
        tern_check_say("check: " TERN_CHECK_HANG_VARIABLE
                       " is \"%.100s\", and has to be a whole number of seconds, at most %llu\n",
                       text, (unsigned long long)TERN_CHECK_HANG_MOST);
        _exit(EXIT_FAILURE);
    }
    limit = seconds * SECOND;
}

int tern_check_table_pause(const struct tern_check_board *board, const struct tern_check_seat *seat)
{
    bool leads = __atomic_load_n(&board->leader, __ATOMIC_RELAXED) == seat - board->seats;

    return leads ? TICK_MS : IDLE_MS;
}

static struct seen *seen_of(int seat, int thread)
{
    return &seen[seat * TERN_CHECK_THREADS + thread];
}

/* ---- lines ---- */

struct line {
    int first;    /* PE of those that say the same */
    uint64_t age; /* of the longest wait, 0: it does not wait */
    bool *has_pe; /* by seat */
    char text[1024];
};

struct table {
    const struct tern_check_board *board;
    struct line *lines;
    int n;
};

static void add_line(struct table *table, int seat, uint64_t age, const char *text)
{
    struct line *line = table->lines;

    while (line < table->lines + table->n &&
           (strcmp(line->text, text) != 0 || (line->age == 0) != (age == 0)))
        line++;
    if (line == table->lines + table->n) {
        line->has_pe = calloc((size_t)table->board->n_seats, sizeof *line->has_pe);
        if (!line->has_pe)
            return;
        line->age = 0;
        snprintf(line->text, sizeof line->text, "%s", text);
        table->n++;
    }
    line->has_pe[seat] = true;
    if (age > line->age)
        line->age = age;
}

/* ---- what a call waits for ---- */

static bool has_answered(const struct tern_check_seat *seat)
{
    /* partner: tern_check_answer() */
    uint32_t answered = __atomic_load_n(&seat->answered, __ATOMIC_ACQUIRE);

    return answered == __atomic_load_n(&seat->asked, __ATOMIC_RELAXED);
}

/* How many calls of the group a PE has made, or -1 if it does not know the group. */
static int64_t count_of(const struct tern_check_seat *seat, uint64_t key)
{
    for (int i = 0; i < TERN_CHECK_GROUPS; i++)
        if (__atomic_load_n(&seat->groups[i].key, __ATOMIC_ACQUIRE) == key)
            return (int64_t)__atomic_load_n(&seat->groups[i].count, __ATOMIC_RELAXED);
    return -1;
}

/* Whether it has to make the call that the answer is about, as far as that is known. */
static bool is_member(const struct tern_check_seat *seat, const struct tern_check_answer *answer)
{
    int from_start = seat->pe - answer->start;

    if (answer->size == 0)
        return answer->group == TERN_CHECK_WORLD;
    return from_start >= 0 && from_start % (1 << answer->log_stride) == 0 &&
           from_start >> answer->log_stride < answer->size;
}

static void add_missing(const struct tern_check_board *board,
                        const struct tern_check_answer *answer, char *text, size_t size)
{
    bool *missing = calloc((size_t)board->n_seats, sizeof *missing);
    bool any = false;

    for (int i = 0; missing && i < board->n_seats; i++) {
        int64_t count = count_of(&board->seats[i], answer->group);

        missing[i] =
            count < 0 ? is_member(&board->seats[i], answer) : count <= (int64_t)answer->number;
        any |= missing[i];
    }
    if (any) {
        int n = 0;

        tern_check_board_add_pes(board, missing, text, size);
        for (int i = 0; i < board->n_seats; i++)
            n += missing[i];
        tern_check_text_add(text, size, n == 1 ? " has not come" : " have not come");
    } else
        tern_check_text_add(text, size, "all have come");
    free(missing);
}

static void add_holder(const struct tern_check_board *board, uint64_t name, char *text, size_t size)
{
    for (int i = 0; i < board->n_seats; i++)
        for (int k = 0; k < TERN_CHECK_LOCKS; k++)
            if (__atomic_load_n(&board->seats[i].locks[k].name, __ATOMIC_ACQUIRE) == name) {
                struct tern_check_spot spot = board->seats[i].locks[k].spot;

                tern_check_text_add(text, size, "; PE %d has it, since %s", board->seats[i].pe,
                                    tern_check_spot_place(&spot));
                return;
            }
}

static void describe_wait(const struct tern_check_board *board,
                          const struct tern_check_answer *answer, char *text, size_t size)
{
    snprintf(text, size, "%s at %s", tern_routines[answer->routine].name,
             tern_check_spot_place(&answer->spot));
    if (answer->text[0])
        tern_check_text_add(text, size, "%s %s", answer->lock ? ": lock" : ":", answer->text);
    if (answer->lock)
        add_holder(board, answer->lock, text, size);
    if (answer->group) {
        tern_check_text_add(text, size, ": ");
        add_missing(board, answer, text, size);
    }
}

/* Whether it goes on no more: all of it waits, or it is gone. */
static bool describe_seat(struct table *table, int i, uint64_t now)
{
    const struct tern_check_seat *seat = &table->board->seats[i];
    int state = __atomic_load_n(&seat->state, __ATOMIC_ACQUIRE), n = 0;
    char text[1024];

    if (state == TERN_CHECK_FINALIZED || state == TERN_CHECK_ENDED) {
        add_line(table, i, 0,
                 state == TERN_CHECK_ENDED ? "has ended" : "has returned from shmem_finalize");
        return true;
    }
    if (!has_answered(seat)) {
        add_line(table, i, 0, "does not answer");
        return false;
    }
    for (int k = 0; k < TERN_CHECK_THREADS; k++) {
        const struct tern_check_answer *answer = &seat->answers[k];

        if (answer->turn % 2 == 0)
            continue;
        describe_wait(table->board, answer, text, sizeof text);
        add_line(table, i, seen_of(i, k)->turn == answer->turn ? now - seen_of(i, k)->since : 1,
                 text);
        n++;
    }
    if (n == 0)
        add_line(table, i, 0, "in no call that waits");
    return n > 0 && !seat->threaded;
}

static void print_line(const struct table *table, struct line *line)
{
    char pes[128] = "";

    tern_check_board_add_pes(table->board, line->has_pe, pes, sizeof pes);
    if (line->age)
        tern_check_say("    %-10s %6.1f s  %s\n", pes, (double)line->age / (double)SECOND,
                       line->text);
    else
        tern_check_say("    %-10s           %s\n", pes, line->text);
    free(line->has_pe);
}

/* ---- the table ---- */

static void ask_all(struct tern_check_board *board, struct tern_check_seat *mine)
{
    struct timespec pause = {0, 5 * (long)MS};
    bool open = true;

    for (int i = 0; i < board->n_seats; i++)
        __atomic_add_fetch(&board->seats[i].asked, 1, __ATOMIC_RELAXED);
    tern_check_board_ring(&board->bell);
    tern_check_answer(mine);
    for (int ms = 0; open && ms < PATIENCE_MS; ms += 5) {
        open = false;
        for (int i = 0; i < board->n_seats; i++) {
            struct tern_check_seat *seat = &board->seats[i];

            open |= __atomic_load_n(&seat->state, __ATOMIC_RELAXED) != TERN_CHECK_ENDED &&
                    !has_answered(seat);
        }
        if (open)
            nanosleep(&pause, NULL);
    }
}

/* True if all PEs of the job wait, or are gone. */
static bool print_table(struct tern_check_board *board, struct tern_check_seat *mine)
{
    struct table table = {.board = board};
    bool all = board->n_seats == tern_check_n_pes();
    uint64_t now = tern_clock_ns();

    table.lines = calloc((size_t)board->n_seats * TERN_CHECK_THREADS, sizeof *table.lines);
    if (!table.lines)
        return false;
    ask_all(board, mine);
    for (int i = 0; i < board->n_seats; i++)
        all &= describe_seat(&table, i, now);
    for (int i = 0; i < table.n; i++)
        print_line(&table, &table.lines[i]);
    if (board->n_seats < tern_check_n_pes())
        tern_check_say("    PEs on other machines are not shown here\n");
    free(table.lines);
    return all;
}

/* The longest wait that is not told of yet, if it is too long. */
static bool find_long_wait(const struct tern_check_board *board, uint64_t now, uint64_t *longest)
{
    bool found = false;

    *longest = 0;
    for (int i = 0; i < board->n_seats; i++)
        for (int k = 0; k < TERN_CHECK_THREADS; k++) {
            struct seen *known = seen_of(i, k);
            uint32_t turn = __atomic_load_n(&board->seats[i].waits[k].turn, __ATOMIC_ACQUIRE);

            if (known->turn != turn)
                *known = (struct seen){.turn = turn, .since = now};
            if (turn % 2 == 0)
                continue;
            if (now - known->since > *longest)
                *longest = now - known->since;
            found |= limit && !known->told && now - known->since >= limit;
        }
    return found;
}

static void mark_told(const struct tern_check_board *board)
{
    for (int i = 0; i < board->n_seats * TERN_CHECK_THREADS; i++)
        seen[i].told = true;
}

void tern_check_table_look(struct tern_check_board *board, struct tern_check_seat *mine)
{
    uint32_t wanted = __atomic_load_n(&board->wanted, __ATOMIC_RELAXED);
    uint64_t now = tern_clock_ns(), longest;
    bool is_long, all;

    if (!seen)
        seen = calloc((size_t)board->n_seats * TERN_CHECK_THREADS, sizeof *seen);
    if (!seen)
        return;
    is_long = find_long_wait(board, now, &longest) && now >= quiet_until;
    if (wanted == __atomic_load_n(&board->handled, __ATOMIC_RELAXED) && !is_long)
        return;
    __atomic_store_n(&board->handled, wanted, __ATOMIC_RELAXED);
    if (is_long)
        tern_check_say("check: a PE has waited for %.1f s\n", (double)longest / (double)SECOND);
    else
        tern_check_say("check: what the PEs wait for\n");
    all = print_table(board, mine);
    mark_told(board);
    quiet_until = now + limit;
    if (is_long && all)
        tern_check_report(NULL, TERN_CHECK_HANG, "each PE waits, or has ended: see the table");
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps a list of told mistakes on the board, to which PEs only add. */
#include "tools/check/report/dedup.h"

#include <ctype.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tools/clock.h"

/* For a PE to say what it has begun to tell: addr2line has to run. Then it is told once more. */
#define PATIENCE_NS UINT64_C(2000000000)

static struct tern_check_board *board;
static struct tern_check_seat *seat;

/* A child of fork is no PE: it shares the board, and has no seat there. */
static void leave(void)
{
    board = NULL;
}

void tern_check_told_open(struct tern_check_board *its_board, struct tern_check_seat *its_seat)
{
    static bool was_open;

    if (!was_open)
        pthread_atfork(NULL, NULL, leave);
    was_open = true;
    board = its_board;
    seat = its_seat;
}

/* A number begins here; one behind a colon is that of a line, and as good as a word. */
static bool is_number(const char *text, const char *at)
{
    return isdigit((unsigned char)*at) &&
           (at == text || (!isalnum((unsigned char)at[-1]) && !strchr(":_", at[-1])));
}

/* Of all that is not one. */
static uint64_t mix_words(const char *text)
{
    uint64_t key = 1;

    for (const char *at = text; *at;)
        if (is_number(text, at))
            at += strspn(at, "0123456789abcdefx");
        else
            key = (key ^ (unsigned char)*at++) * UINT64_C(0x100000001b3);
    return key;
}

/* ---- words of entries ---- */

static uint32_t word_of(enum tern_check_telling state)
{
    return (uint32_t)(seat - board->seats) << 3 | state;
}

static enum tern_check_telling state_of(uint32_t word)
{
    return word & 7;
}

static struct tern_check_seat *seat_of(uint32_t word)
{
    return &board->seats[word >> 3];
}

static uint32_t load(const struct tern_check_told *told)
{
    return __atomic_load_n(&told->word, __ATOMIC_ACQUIRE); /* partner: change() */
}

/* Whether it was this word until now. */
static bool change(struct tern_check_told *told, uint32_t word, enum tern_check_telling state)
{
    return __atomic_compare_exchange_n(&told->word, &word, word_of(state), false, __ATOMIC_ACQ_REL,
                                       __ATOMIC_ACQUIRE);
}

/* It was killed, or another thread has ended it. */
static bool is_gone(const struct tern_check_seat *teller)
{
    return kill(teller->pid, 0) != 0 && errno == ESRCH;
}

/* The next word after this one, or the same if whoever has set it ends or takes too long. */
static uint32_t await(const struct tern_check_told *told, uint32_t word)
{
    struct timespec pause = {0, 1000000};
    uint64_t begin = tern_clock_ns();
    uint32_t now;

    while ((now = load(told)) == word && !is_gone(seat_of(word)) &&
           tern_clock_ns() - begin < PATIENCE_NS)
        nanosleep(&pause, NULL);
    return now;
}

/* ---- entries ---- */

static bool is_same(const struct tern_check_told *one, const struct tern_check_told *other)
{
    return one->class == other->class && one->routine == other->routine &&
           one->words == other->words && one->spot.offset == other->spot.offset &&
           memcmp(one->spot.module, other->spot.module, sizeof one->spot.module) == 0;
}

/* Whether the entry is this PE's now, which nobody has, or somebody has had who is gone. */
static bool take(struct tern_check_told *told, uint32_t word, const struct tern_check_told *new)
{
    if (!change(told, word, TERN_CHECK_NAMED))
        return false;
    told->class = new->class;
    told->routine = new->routine;
    told->words = new->words;
    told->spot = new->spot;
    return change(told, word_of(TERN_CHECK_NAMED), TERN_CHECK_TELLING);
}

/* Its word when it is filled in; or another one, if it is this PE's now or can't be had. */
static uint32_t fill(struct tern_check_told *told, const struct tern_check_told *new, bool *is_mine)
{
    uint32_t word = load(told), next;

    while (state_of(word) < TERN_CHECK_TELLING) {
        next = state_of(word) == TERN_CHECK_UNTOLD ? word : await(told, word);
        if (next == word && state_of(word) == TERN_CHECK_NAMED && !is_gone(seat_of(word)))
            break;
        *is_mine = next == word && take(told, word, new);
        if (*is_mine)
            break;
        word = load(told);
    }
    return word;
}

/* Whether it is for this PE to say after all. Where several give up waiting, it is for one. */
static bool take_over(struct tern_check_told *told, uint32_t word)
{
    while (state_of(word) != TERN_CHECK_SAID) {
        uint32_t next = state_of(word) == TERN_CHECK_TELLING ? await(told, word) : word;

        if (next == word && change(told, word, TERN_CHECK_TELLING))
            return true;
        word = load(told);
    }
    return false;
}

bool tern_check_told_claim(unsigned class, const struct tern_call *call, const void *site,
                           const char *text, int *number)
{
    struct tern_check_told new = {
        .class = class,
        .routine = (uint32_t)(call->routine - tern_routines),
        .words = mix_words(text),
    };

    *number = -1;
    if (!board)
        return true;
    tern_check_spot_of(site, &new.spot);
    for (int i = 0; i < TERN_CHECK_TOLD; i++) {
        struct tern_check_told *told = &board->told[i];
        bool is_mine = false;
        uint32_t word = fill(told, &new, &is_mine);

        if (!is_mine && (state_of(word) < TERN_CHECK_TELLING || !is_same(told, &new)))
            continue;
        if (!is_mine && seat_of(word) == seat) /* of another thread */
            return true;
        *number = i;
        return is_mine || take_over(told, word);
    }
    return true;
}

void tern_check_told_say(int number, bool is_said)
{
    if (board && number >= 0) /* unless it was taken over */
        change(&board->told[number], word_of(TERN_CHECK_TELLING),
               is_said ? TERN_CHECK_SAID : TERN_CHECK_UNSAID);
}

void tern_check_told_count(int number, unsigned long n)
{
    if (board && number >= 0)
        __atomic_store_n(&seat->made[number], (uint32_t)n, __ATOMIC_RELAXED);
}

/* The other PEs that have made the mistake: how often. */
static unsigned long find_others(int number, bool *has_pe)
{
    unsigned long n = 0;

    for (int i = 0; i < board->n_seats; i++) {
        uint32_t made = __atomic_load_n(&board->seats[i].made[number], __ATOMIC_RELAXED);

        has_pe[i] = made && &board->seats[i] != seat;
        n += has_pe[i] ? made : 0;
    }
    return n;
}

const struct tern_check_told *tern_check_told_next(int *number, char *pes, size_t size,
                                                   unsigned long *n)
{
    bool *has_pe = board ? calloc((size_t)board->n_seats, sizeof *has_pe) : NULL;
    const struct tern_check_told *found = NULL;

    while (has_pe && !found && ++*number < TERN_CHECK_TOLD) {
        struct tern_check_told *told = &board->told[*number];

        if (load(told) != word_of(TERN_CHECK_SAID))
            continue;
        *n = find_others(*number, has_pe);
        found = *n ? told : NULL;
    }
    pes[0] = '\0';
    if (found)
        tern_check_board_add_pes(board, has_pe, pes, size);
    free(has_pe);
    return found;
}

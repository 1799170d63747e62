/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps a list of told mistakes on the board, to which PEs only add. */
#include "tools/check/told.h"

#include <ctype.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* For a PE to say what it has begun to tell: addr2line has to run. Then it is told once more. */
#define PATIENCE_MS 10000

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

/* Whether the entry comes to this state, or a later one, before its PE ends. */
static bool await(const struct tern_check_told *told, int32_t state)
{
    struct timespec pause = {0, 1000000};

    for (int ms = 0; ms < PATIENCE_MS; ms++) {
        int32_t now = __atomic_load_n(&told->state, __ATOMIC_ACQUIRE); /* partner: the releases */

        if (now >= state)
            return true;
        if (now == TERN_CHECK_TELLING &&
            __atomic_load_n(&board->seats[told->seat].state, __ATOMIC_RELAXED) == TERN_CHECK_ENDED)
            break;
        nanosleep(&pause, NULL);
    }
    return __atomic_load_n(&told->state, __ATOMIC_ACQUIRE) >= state;
}

static bool is_same(const struct tern_check_told *one, const struct tern_check_told *other)
{
    return one->class == other->class && one->routine == other->routine &&
           one->words == other->words && one->spot.offset == other->spot.offset &&
           memcmp(one->spot.module, other->spot.module, sizeof one->spot.module) == 0;
}

/* Whether the free entry is this PE's now. */
static bool take(struct tern_check_told *told, const struct tern_check_told *new)
{
    int32_t state = TERN_CHECK_UNTOLD;

    if (!__atomic_compare_exchange_n(&told->state, &state, TERN_CHECK_NAMED, false,
                                     __ATOMIC_ACQUIRE, __ATOMIC_ACQUIRE))
        return false;
    told->seat = new->seat;
    told->class = new->class;
    told->routine = new->routine;
    told->words = new->words;
    told->spot = new->spot;
    __atomic_store_n(&told->state, TERN_CHECK_TELLING, __ATOMIC_RELEASE); /* partner: await() */
    return true;
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
    new.seat = (int32_t)(seat - board->seats);
    tern_check_spot_of(site, &new.spot);
    for (int i = 0; i < TERN_CHECK_TOLD; i++) {
        struct tern_check_told *told = &board->told[i];

        if (take(told, &new)) {
            *number = i;
            return true;
        }
        if (!await(told, TERN_CHECK_TELLING) || !is_same(told, &new))
            continue;
        if (told->seat == new.seat || !await(told, TERN_CHECK_SAID))
            return true;
        *number = i;
        return false;
    }
    return true;
}

void tern_check_told_say(int number)
{
    if (board && number >= 0)
        __atomic_store_n(&board->told[number].state, TERN_CHECK_SAID,
                         __ATOMIC_RELEASE); /* partner: await() */
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

        if (__atomic_load_n(&told->state, __ATOMIC_ACQUIRE) != TERN_CHECK_SAID ||
            &board->seats[told->seat] != seat)
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

/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps the list of printed mistakes on the board. Entries are added and never removed. */
#include "tools/check/report/dedup.h"

#include <ctype.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/hash.h"
#include "tools/clock.h"

/*
 * How long others wait for a PE that has begun to print a mistake: it has to run addr2line. After
 * that another PE prints the mistake.
 */
#define PATIENCE_NS UINT64_C(2000000000)

static struct tern_check_board *board;
static struct tern_check_slot *slot;

/* A child of fork is no PE: it has the board mapped, but owns no slot. */
static void forget_board(void)
{
    board = NULL;
}

void tern_check_dedup_open(struct tern_check_board *its_board, struct tern_check_slot *its_slot)
{
    static bool was_open;

    if (!was_open)
        pthread_atfork(NULL, NULL, forget_board);
    was_open = true;
    board = its_board;
    slot = its_slot;
}

/* Whether a number begins here. One behind a colon is a line number, which counts as a word. */
static bool is_number(const char *text, const char *at)
{
    return isdigit((unsigned char)*at) &&
           (at == text || (!isalnum((unsigned char)at[-1]) && !strchr(":_", at[-1])));
}

/* A hash of the text without its numbers. */
static uint64_t mix_words(const char *text)
{
    uint64_t key = TERN_HASH_START;

    for (const char *at = text; *at;)
        if (is_number(text, at))
            at += strspn(at, "0123456789abcdefx");
        else
            key = tern_hash_add(key, (unsigned char)*at++);
    return key;
}

/* ---- states of entries ---- */

static uint32_t word_of(enum tern_check_dedup_state state)
{
    return (uint32_t)(slot - board->slots) << 3 | state;
}

static enum tern_check_dedup_state state_of(uint32_t word)
{
    return word & 7;
}

static struct tern_check_slot *slot_of(uint32_t word)
{
    return &board->slots[word >> 3];
}

static uint32_t load(const struct tern_check_dedup_entry *entry)
{
    return __atomic_load_n(&entry->word, __ATOMIC_ACQUIRE); /* partner: change() */
}

/* Sets the entry's state if its word has not changed since it was loaded. False if it has. */
static bool change(struct tern_check_dedup_entry *entry, uint32_t word,
                   enum tern_check_dedup_state state)
{
    return __atomic_compare_exchange_n(&entry->word, &word, word_of(state), false, __ATOMIC_ACQ_REL,
                                       __ATOMIC_ACQUIRE);
}

/* The PE was killed, or another of its threads has ended it. */
static bool is_gone(const struct tern_check_slot *owner)
{
    return kill(owner->pid, 0) != 0 && errno == ESRCH;
}

/*
 * Waits until the word changes, and returns the new one; returns the same word if the PE that set
 * it has ended or takes too long.
 */
static uint32_t await(const struct tern_check_dedup_entry *entry, uint32_t word)
{
    struct timespec pause = {0, 1000000};
    uint64_t begin = tern_clock_ns();
    uint32_t now;

    while ((now = load(entry)) == word && !is_gone(slot_of(word)) &&
           tern_clock_ns() - begin < PATIENCE_NS)
        nanosleep(&pause, NULL);
    return now;
}

/* ---- entries ---- */

static bool is_same(const struct tern_check_dedup_entry *one,
                    const struct tern_check_dedup_entry *other)
{
    return one->kind == other->kind && one->routine == other->routine &&
           one->words == other->words && one->location.offset == other->location.offset &&
           memcmp(one->location.module, other->location.module, sizeof one->location.module) == 0;
}

/*
 * Claims the entry for this PE, if it is free or its owner is gone, and fills it in. False if
 * another PE was faster.
 */
static bool take(struct tern_check_dedup_entry *entry, uint32_t word,
                 const struct tern_check_dedup_entry *new)
{
    if (!change(entry, word, DEDUP_CLAIMED))
        return false;
    entry->kind = new->kind;
    entry->routine = new->routine;
    entry->words = new->words;
    entry->location = new->location;
    return change(entry, word_of(DEDUP_CLAIMED), DEDUP_PRINTING);
}

/* Returns the word of an entry once that is filled in. *is_mine: this PE has claimed the entry. */
static uint32_t fill(struct tern_check_dedup_entry *entry, const struct tern_check_dedup_entry *new,
                     bool *is_mine)
{
    uint32_t word = load(entry), next;

    while (state_of(word) < DEDUP_PRINTING) {
        next = state_of(word) == DEDUP_FREE ? word : await(entry, word);
        if (next == word && state_of(word) == DEDUP_CLAIMED && !is_gone(slot_of(word)))
            break;
        *is_mine = next == word && take(entry, word, new);
        if (*is_mine)
            break;
        word = load(entry);
    }
    return word;
}

/*
 * Whether this PE has to print the mistake because the PE that claimed it has failed or takes too
 * long. Where several PEs give up waiting, one of them takes over.
 */
static bool take_over(struct tern_check_dedup_entry *entry, uint32_t word)
{
    while (state_of(word) != DEDUP_PRINTED) {
        uint32_t next = state_of(word) == DEDUP_PRINTING ? await(entry, word) : word;

        if (next == word && change(entry, word, DEDUP_PRINTING))
            return true;
        word = load(entry);
    }
    return false;
}

bool tern_check_dedup_claim(unsigned kind, const struct tern_call *call, const void *site,
                            const char *text, int *number)
{
    struct tern_check_dedup_entry new = {
        .kind = kind,
        .routine = (uint32_t)(call->routine - tern_routines),
        .words = mix_words(text),
    };

    *number = -1;
    if (!board)
        return true;
    tern_check_portable_location_of(site, &new.location);
    for (int i = 0; i < MAX_DEDUP_ENTRIES; i++) {
        struct tern_check_dedup_entry *entry = &board->dedup[i];
        bool is_mine = false;
        uint32_t word = fill(entry, &new, &is_mine);

        if (!is_mine && (state_of(word) < DEDUP_PRINTING || !is_same(entry, &new)))
            continue;
        if (!is_mine && slot_of(word) == slot) /* claimed by another thread of this PE */
            return true;
        *number = i;
        return is_mine || take_over(entry, word);
    }
    return true;
}

void tern_check_dedup_finish(int number, bool is_printed)
{
    if (board && number >= 0) /* fails if another PE has taken over */
        change(&board->dedup[number], word_of(DEDUP_PRINTING),
               is_printed ? DEDUP_PRINTED : DEDUP_FAILED);
}

void tern_check_dedup_count(int number, unsigned long n)
{
    if (board && number >= 0)
        __atomic_store_n(&slot->made[number], (uint32_t)n, __ATOMIC_RELAXED);
}

/* Finds the other PEs that made the mistake; returns how often they made it together. */
static unsigned long find_others(int number, bool *has_pe)
{
    unsigned long n = 0;

    for (int i = 0; i < board->n_slots; i++) {
        uint32_t made = __atomic_load_n(&board->slots[i].made[number], __ATOMIC_RELAXED);

        has_pe[i] = made && &board->slots[i] != slot;
        n += has_pe[i] ? made : 0;
    }
    return n;
}

const struct tern_check_dedup_entry *tern_check_dedup_next(int *number, char *pes, size_t size,
                                                           unsigned long *n)
{
    bool *has_pe = board ? calloc((size_t)board->n_slots, sizeof *has_pe) : NULL;
    const struct tern_check_dedup_entry *found = NULL;

    while (has_pe && !found && ++*number < MAX_DEDUP_ENTRIES) {
        struct tern_check_dedup_entry *entry = &board->dedup[*number];

        if (load(entry) != word_of(DEDUP_PRINTED))
            continue;
        *n = find_others(*number, has_pe);
        found = *n ? entry : NULL;
    }
    pes[0] = '\0';
    if (found)
        tern_check_board_add_pes(board, has_pe, pes, size);
    free(has_pe);
    return found;
}

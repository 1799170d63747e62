/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the PEs of a machine show each other, of what they wait in and of the mistakes that they
 * tell: in memory that they share without help of the OpenSHMEM library, so that it can be read
 * while all of them are blocked in it. Also the memory behind it, for whoever needs more.
 */
#ifndef TERN_CHECK_BOARD_H
#define TERN_CHECK_BOARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tools/check/shared/portable_location.h"

#define MAX_THREADS 8 /* of a PE that are shown */
#define MAX_GROUPS 64 /* whose calls are counted */
#define MAX_LOCKS 16  /* that a PE holds */
#define MAX_WAIT_TEXT 384
#define WORLD_KEY 1 /* the key of all PEs */

enum tern_check_slot_state { SLOT_ABSENT, SLOT_RUNS, SLOT_FINALIZED, SLOT_ENDED };

#define MAX_DEDUP_ENTRIES 64 /* mistakes that are dedup once for all PEs */

/* A thread's last call that waits. */
struct tern_check_wait {
    uint32_t turn; /* odd while it is in the call: all of the rest but group holds still then */
    uint32_t routine;
    const void *site;
    uint64_t group;  /* of a collective call, as soon as that is known; else 0 */
    uint64_t number; /* in the group; there before the group is */
    uint64_t arg[12];
};

/* What a PE says of one of its threads when asked. */
struct tern_check_wait_text {
    uint32_t turn; /* of the call that it is about; even: in none */
    uint32_t routine;
    uint64_t group, number;          /* of a collective call */
    uint64_t lock;                   /* name of the lock that is waited for */
    int32_t start, log_stride, size; /* of an active set, or size 0 */
    struct tern_check_portable_location location;
    char text[MAX_WAIT_TEXT]; /* what it waits for, if that is not other PEs or a lock */
};

struct tern_check_slot {
    int32_t pe, state;
    int32_t pid;
    uint32_t asked, answered; /* how often */
    uint32_t threaded;        /* several threads may make calls: any may go on unseen */
    uint32_t threads;         /* a bit for each of waits that is taken */
    struct tern_check_wait waits[MAX_THREADS];
    struct tern_check_wait_text wait_texts[MAX_THREADS];
    struct {
        uint64_t key, count; /* calls so far */
    } groups[MAX_GROUPS];
    struct {
        uint64_t name; /* of the lock; 0: none */
        struct tern_check_portable_location location;
    } locks[MAX_LOCKS];
    uint32_t made[MAX_DEDUP_ENTRIES]; /* how often it has made each of the mistakes below */
};

/* All of an entry but its word holds still after the second of these. */
enum tern_check_dedup_state {
    DEDUP_FREE,
    DEDUP_CLAIMED,
    DEDUP_PRINTING,
    DEDUP_FAILED, /* that has failed: for others to do */
    DEDUP_PRINTED
};

/* A mistake that one PE tells. */
struct tern_check_dedup_entry {
    uint32_t word; /* one of these, and the slot of who has set it: see report/dedup.c */
    uint32_t kind, routine;
    uint64_t words; /* a number for what is said of it */
    struct tern_check_portable_location location;
};

struct tern_check_board {
    uint32_t bell;    /* rung for whoever leads */
    uint32_t wanted;  /* how often a table was asked for */
    uint32_t handled; /* of these, so many; a matter of whoever leads */
    int32_t leader;   /* the slot that watches */
    int32_t n_slots;
    struct tern_check_dedup_entry dedup[MAX_DEDUP_ENTRIES];
    struct tern_check_slot slots[];
};

/*
 * Makes this machine's board, collectively, or finds the one that there is already; the slot of
 * this PE. If it can't be shared, a PE has one of its own. NULL if there is no memory.
 * more: so many bytes of zeros behind it are wanted.
 */
struct tern_check_board *tern_check_board_open(size_t more, struct tern_check_slot **mine);

/* These, if all PEs want some and are on this machine, else NULL. Most may never be touched. */
void *tern_check_board_extra(void);

/* Whether this PE is the first of all that want some: it speaks for them. */
bool tern_check_board_is_first_requester(void);

/* "PE 3", or "PEs 0-2, 5", behind the text, by slots. */
void tern_check_board_add_pes(const struct tern_check_board *board, const bool *has_pe, char *text,
                              size_t size);

/* Waits until the word is not this value any more, for so many milliseconds at most. */
void tern_check_board_wait(uint32_t *word, uint32_t value, int ms);

/* Changes the word by one, and wakes who waits for that; also in a handler of a signal. */
void tern_check_board_ring(uint32_t *word);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The shared board of a machine's PEs: the calls that they are blocked in, and the mistakes that
 * they printed. It is shared memory without help of the OpenSHMEM library, so that it can be read
 * while all PEs are blocked in the library. Behind it there is extra memory for the check of races.
 */
#ifndef TERN_CHECK_BOARD_H
#define TERN_CHECK_BOARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tools/check/shared/portable_location.h"

#define MAX_THREADS 8 /* of a PE, shown in the table of waits */
#define MAX_GROUPS 64 /* of a PE, whose calls are counted */
#define MAX_LOCKS 16  /* that a PE holds */
#define MAX_WAIT_TEXT 384
#define WORLD_KEY 1 /* the key of the group of all PEs */

enum tern_check_slot_state { SLOT_ABSENT, SLOT_RUNS, SLOT_FINALIZED, SLOT_ENDED };

#define MAX_DEDUP_ENTRIES 64 /* mistakes that are printed by one PE for all */

/* The last blocking call of a thread. */
struct tern_check_wait {
    uint32_t turn; /* odd while in the call: only group and number change then */
    uint32_t routine;
    const void *site;
    uint64_t group;           /* of a collective call, once it is known; else 0 */
    uint64_t number;          /* of the call in the group; written before group */
    const void *group_record; /* the PE's own, for its describer of groups; written before group */
    uint64_t arg[12];
};

/* A PE's answer about one of its threads: what that is blocked in. */
struct tern_check_wait_text {
    uint32_t turn; /* of the call described; even: in no call */
    uint32_t routine;
    uint64_t group, number;          /* of a collective call */
    uint64_t lock;                   /* name of the lock waited for */
    int32_t start, log_stride, size; /* of an active set; size is 0 without one */
    struct tern_check_portable_location location;
    char text[MAX_WAIT_TEXT]; /* the condition waited for, unless that is other PEs or a lock */
};

struct tern_check_slot {
    int32_t pe, state;
    int32_t pid;
    uint32_t is_done;         /* the process has come to the end of its exit handlers */
    uint32_t asked, answered; /* how often */
    uint32_t threaded;        /* several threads may make calls, so that one may proceed unseen */
    uint32_t threads;         /* a bit for each element of waits in use */
    struct tern_check_wait waits[MAX_THREADS];
    struct tern_check_wait_text wait_texts[MAX_THREADS];
    struct {
        uint64_t key, count; /* calls so far */
    } groups[MAX_GROUPS];
    struct {
        uint64_t name; /* of the lock; 0: none */
        struct tern_check_portable_location location;
    } locks[MAX_LOCKS];
    uint32_t made[MAX_DEDUP_ENTRIES]; /* how often it has made the mistake of each dedup entry */
};

/* From DEDUP_PRINTING on nothing in an entry changes but its word. */
enum tern_check_dedup_state {
    DEDUP_FREE,
    DEDUP_CLAIMED,
    DEDUP_PRINTING,
    DEDUP_FAILED, /* to write the message; another PE may try */
    DEDUP_PRINTED
};

/* A mistake that one PE prints for all. */
struct tern_check_dedup_entry {
    uint32_t word; /* a state, and the slot of the PE that set it: see report/dedup.c */
    uint32_t kind, routine;
    uint64_t words; /* a hash of the message */
    struct tern_check_portable_location location;
};

/* What PE 0 has found when all PEs had finalized. */
enum tern_check_verdict { VERDICT_NONE, VERDICT_CLEAN, VERDICT_CLEAN_WITHOUT_ACCESSES };

struct tern_check_board {
    uint32_t bell;    /* wakes the watching threads */
    uint32_t wanted;  /* how often a table was asked for */
    uint32_t handled; /* how many of those requests were served; for the leader only */
    int32_t leader;   /* the slot of the PE that prints tables */
    int32_t n_slots;
    uint32_t verdict;     /* enum tern_check_verdict; on PE 0's machine */
    uint32_t is_mistaken; /* a PE has made mistakes, as its exit handlers found */
    uint32_t mismatch;    /* PEs have made collective calls that do not match */
    struct tern_check_dedup_entry dedup[MAX_DEDUP_ENTRIES];
    struct tern_check_slot slots[];
};

/*
 * Maps this machine's board, collectively, at the first call. *mine: this PE's slot. A PE gets a
 * board of its own if it can't share one. NULL if there is no memory. more: bytes of extra zeroed
 * memory that this PE wants behind the board.
 */
struct tern_check_board *tern_check_board_open(size_t more, struct tern_check_slot **mine);

/*
 * The extra memory, if all PEs of the job want some and are on this machine; else NULL. Untouched
 * pages take no memory.
 */
void *tern_check_board_extra(void);

/* Whether this PE is the first of the PEs that want extra memory: it reports for all of them. */
bool tern_check_board_is_first_requester(void);

/* Appends "PE 3" or "PEs 0-2, 5" to the text. has_pe: by slot. */
void tern_check_board_add_pes(const struct tern_check_board *board, const bool *has_pe, char *text,
                              size_t size);

/* Finds the PE of this machine that holds the lock of this name, and where it took the lock. */
bool tern_check_board_find_holder(uint64_t name, int *pe,
                                  struct tern_check_portable_location *location);

/* Waits until the word differs from value, for ms milliseconds at most. */
void tern_check_board_wait(uint32_t *word, uint32_t value, int ms);

/* Increments the word and wakes its waiters. Async-signal-safe. */
void tern_check_board_ring(uint32_t *word);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Exchanges the signatures of collective calls between two PEs, without one waiting for the other.
 * Each side posts one signature for each number of a sequence; the second one to post a number
 * reads the other's.
 *
 * A pair of PEs uses cells in the symmetric memory of its upper PE, the one with the higher number
 * in their team. There is a ring of cells for each key that a pair has agreed on, and a half of
 * each cell for each side.
 */
#ifndef TERN_CHECK_MAILBOX_H
#define TERN_CHECK_MAILBOX_H

#include <stdbool.h>
#include <stdint.h>

#include "tools/check/args/signature.h"

/* This PE's side of a pair. Before its use all is zero but the first three. */
struct tern_check_pair {
    uint64_t key; /* of the pair's ring, not 0 */
    int at;       /* the upper PE, whose memory the cells are in */
    bool is_upper;
    bool is_open, is_shut; /* a ring was looked for; none was free, or it was closed */
    int ring;
    uint64_t seen; /* number of the partner's posts that this side knows to be made */
};

/* Allocates the cells, collectively; NULL on all PEs if that fails. */
void *tern_check_mailbox_open(void);

/*
 * Posts the signature with this number. Each side posts all numbers, from 0 on. Returns whether the
 * partner has posted the same number already; then *theirs is the partner's signature. Waits only
 * if the partner is a ring behind. may_wait is false where the process ends: then nothing is posted
 * instead of waiting, nor to the memory of a PE on another node, which may have ended.
 */
bool tern_check_mailbox_post(struct tern_check_pair *pair, uint64_t number, bool may_wait,
                             const struct tern_check_signature *mine,
                             struct tern_check_signature *theirs);

/*
 * Notes for both sides that their posts do not match any more. Returns whether this side is the
 * first to note it.
 */
bool tern_check_mailbox_part(struct tern_check_pair *pair);

/* After the last post of the pair. */
void tern_check_mailbox_close(struct tern_check_pair *pair);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Two PEs show each other what they do, without waiting for each other: each posts records, one for
 * each of a sequence of numbers, and whoever is the second to post a number gets the other's.
 *
 * A pair of PEs uses cells in symmetric memory of the one with the higher number in their team: a
 * ring for each key that pairs agree on, with a half of each cell for either.
 */
#ifndef TERN_CHECK_MAILBOX_H
#define TERN_CHECK_MAILBOX_H

#include <stdbool.h>
#include <stdint.h>

#include "tools/check/args/signature.h"

/* This PE's side of a pair; all zero but for the first three before it is used. */
struct tern_check_pair {
    uint64_t key; /* of the pair's posts, not 0 */
    int at;       /* whose memory the cells are in, the upper PE's */
    bool is_upper;
    bool is_open, is_shut; /* the ring was looked for; and there was none, or it is given back */
    int ring;
    uint64_t seen; /* so many posts of the partner's are known to have been made */
};

/* Allocates the block of the cells, collectively; NULL on all PEs if that can't be done. */
void *tern_check_mailbox_open(void);

/*
 * Posts the signature of this number: each side posts all numbers from 0 on. True if the partner
 * has posted its own, which theirs is then. Waits only if the partner is far behind. A side that
 * may not wait, because its process ends, posts nothing then; and nothing to the memory of a PE of
 * another node, which may have ended as well.
 */
bool tern_check_mailbox_post(struct tern_check_pair *pair, uint64_t number, bool may_wait,
                             const struct tern_check_signature *mine,
                             struct tern_check_signature *theirs);

/* For the two to remember together that their posts do not match any more: true the first time. */
bool tern_check_mailbox_part(struct tern_check_pair *pair);

/* After the last post of the pair. */
void tern_check_mailbox_close(struct tern_check_pair *pair);

#endif

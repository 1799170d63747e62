/* SPDX-License-Identifier: BSD-3-Clause */
/* A PE's own description of what its threads wait for. */
#ifndef TERN_CHECK_WAIT_TEXT_H
#define TERN_CHECK_WAIT_TEXT_H

#include "tools/check/shared/board.h"

/* Fills in the slot's wait texts, and publishes them as the answer to the last request. */
void tern_check_wait_text_update(struct tern_check_slot *slot);

/* describe: writes the name of a group, from its record, in up to `size` bytes. */
void tern_check_wait_text_name_groups(void (*describe)(const void *record, char *text,
                                                       size_t size));

/*
 * To be called by a thread after it has left its call: returns once no description of it is in
 * progress.
 */
void tern_check_wait_text_await(void);

#endif

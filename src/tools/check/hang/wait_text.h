/* SPDX-License-Identifier: BSD-3-Clause */
/* What a PE says of itself when it is asked what it waits for. */
#ifndef TERN_CHECK_WAIT_TEXT_H
#define TERN_CHECK_WAIT_TEXT_H

#include "tools/check/shared/board.h"

/* Fills in the slot's wait_texts, and says that they are there. */
void tern_check_wait_text_update(struct tern_check_slot *slot);

/* A thread that has left its call waits until nobody describes the call any more. */
void tern_check_wait_text_await(void);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* What a PE says of itself when it is asked what it waits for. */
#ifndef TERN_CHECK_WAIT_TEXT_H
#define TERN_CHECK_WAIT_TEXT_H

#include "tools/check/shared/board.h"

/* Fills in the seat's answers, and says that they are there. */
void tern_check_answer(struct tern_check_seat *seat);

/* A thread that has left its call waits until nobody describes the call any more. */
void tern_check_answer_await(void);

#endif

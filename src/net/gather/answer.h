/* SPDX-License-Identifier: BSD-3-Clause */
/* The answers to frames: results go where their operations said. */
#ifndef TERN_NET_GATHER_ANSWER_H
#define TERN_NET_GATHER_ANSWER_H

#include <stddef.h>

struct tern_buffer;

/* The answer to the oldest frame under way to that PE. The engine calls it, one at a time. */
void tern_answer_take(int from, const void *answer, size_t bytes);

/* No answer will come: ends the frame's operations without results. */
void tern_answer_give_up(struct tern_buffer *buffer);

/* The same for all frames to PEs that were lost. Takes the turn. */
void tern_answer_sweep(void);

#endif

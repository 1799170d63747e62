/* SPDX-License-Identifier: BSD-3-Clause */
/* Standard input, which goes to PE 0. */
#ifndef TERN_LAUNCH_IO_INPUT_H
#define TERN_LAUNCH_IO_INPUT_H

#include <stdbool.h>
#include <stddef.h>

#include "launch/io/loop.h"

/*
 * PEs live in process groups of their own, in the terminal's background: one that read the terminal
 * would be stopped. So a terminal's input is relayed through a pipe; anything else is PE 0's.
 */
struct tern_input {
    struct tern_loop *loop;
    struct tern_source terminal;
    struct tern_source pipe;
    char data[4096];
    size_t begin, end;
};

/*
 * *fd becomes what PE 0 shall have as its standard input: in itself, or a pipe's end that the
 * caller closes once PE 0 has it. Where oshrun has no input, in is -1 and *fd stays. Returns 0 or
 * -errno.
 */
int tern_input_open(struct tern_input *input, struct tern_loop *loop, int in, int *fd);

/* Whether a person types what PE 0 reads. */
bool tern_input_is_relayed(const struct tern_input *input);

/* Looks at the terminal again if oshrun was in the background when it had something to read. */
void tern_input_tick(struct tern_input *input);

#endif

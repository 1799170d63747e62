/* SPDX-License-Identifier: BSD-3-Clause */
/* oshrun's standard input, which PE 0 reads. */
#ifndef TERN_LAUNCH_IO_INPUT_H
#define TERN_LAUNCH_IO_INPUT_H

#include <stdbool.h>
#include <stddef.h>

#include "launch/io/loop.h"

/*
 * The process groups of PEs are in the background of the terminal, so the kernel stops a PE that
 * reads it. oshrun therefore reads a terminal itself and relays the input through a pipe. Any other
 * standard input is inherited by PE 0.
 */
struct tern_input {
    struct tern_loop *loop;
    struct tern_source terminal;
    struct tern_source pipe;
    char data[4096];
    size_t begin, end;
};

/*
 * Sets *fd to the descriptor that becomes PE 0's standard input: `in` itself, or the reading end of
 * a pipe, which the caller closes after PE 0 has inherited it. `in` is -1 where oshrun has no
 * standard input; *fd is unchanged then. Returns 0 or -errno.
 */
int tern_input_open(struct tern_input *input, struct tern_loop *loop, int in, int *fd);

/* Whether PE 0's input comes from a terminal by way of oshrun. */
bool tern_input_is_relayed(const struct tern_input *input);

/* Resumes reading the terminal after oshrun has returned to the foreground. */
void tern_input_tick(struct tern_input *input);

#endif

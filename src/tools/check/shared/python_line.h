/* SPDX-License-Identifier: BSD-3-Clause */
/* Source lines of Python programs. */
#ifndef TERN_CHECK_PYTHON_LINE_H
#define TERN_CHECK_PYTHON_LINE_H

#include <stdbool.h>
#include <stddef.h>

/* Whether the file of this path makes calls on behalf of Python code. */
bool tern_check_python_line_is_caller(const char *path);

/*
 * Writes the line at which this thread is in its program, as "heat.py:42"; a line of an installed
 * package only if there is no other. False if the thread runs no Python code. May wait for the
 * interpreter's lock.
 */
bool tern_check_python_line_read(char *text, size_t size);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* What is wrong with the launcher's variables. */
#ifndef TERN_BOOT_START_ERROR_H
#define TERN_BOOT_START_ERROR_H

/* Found before main, and kept until it can be printed; "" if nothing is wrong. */
struct tern_start_error {
    char error[256];   /* the program can't be a PE */
    char warning[320]; /* the program continues as a job of one PE */
};

#endif

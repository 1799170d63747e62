/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs the self-test between hosts. */
#ifndef TERN_INFO_TEST_H
#define TERN_INFO_TEST_H

/*
 * Runs oshrun with the self-test on these hosts. Returns only if that fails, with an exit status.
 */
int tern_test_run(char *hosts);

#endif

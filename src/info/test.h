/* SPDX-License-Identifier: BSD-3-Clause */
/* The self-test between hosts. */
#ifndef TERN_INFO_TEST_H
#define TERN_INFO_TEST_H

/* Has oshrun start the self-test on these hosts. Returns only if that is impossible: the status. */
int tern_test_run(char *hosts);

#endif

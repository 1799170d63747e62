/* SPDX-License-Identifier: BSD-3-Clause */
/* The start and the end of the collectives. */
#ifndef TERN_COLL_START_H
#define TERN_COLL_START_H

/*
 * At each init, by all PEs: gives the predefined teams what collectives need, which lasts until the
 * process ends. 0 or -errno.
 */
int tern_coll_start(void);

/* At the last finalize: destroys the teams and active sets that are left. */
void tern_coll_stop(void);

#endif

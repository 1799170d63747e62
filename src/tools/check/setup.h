/* SPDX-License-Identifier: BSD-3-Clause */
/* Whether the library runs, and which thread may call it. The caller holds a lock. */
#ifndef TERN_CHECK_SETUP_H
#define TERN_CHECK_SETUP_H

#include "tools/call.h"

/* Between the first init and the last finalize. */
bool tern_check_runs(void);

/* The call is a finalize that ends the library. */
bool tern_check_is_last(const struct tern_call *call);

/* Around each call: reports calls at the wrong time, or by the wrong thread. */
void tern_check_setup_before(struct tern_call *call);
void tern_check_setup_after(struct tern_call *call);

/* At the end of the process: what finalize would have ended has ended. */
void tern_check_setup_end(void);

#endif

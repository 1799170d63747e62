/* SPDX-License-Identifier: BSD-3-Clause */
/* What the gathering of small operations (net/gather) needs to know of the job. */
#ifndef TERN_CORE_GATHERING_H
#define TERN_CORE_GATHERING_H

#include "net/gather/gather.h"

/* For tern_network_start(). */
const struct tern_gather_job *tern_gathering_job(void);

#endif

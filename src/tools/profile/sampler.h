/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Samples where threads of the program spend processor time outside of OpenSHMEM: a signal for each
 * TERN_PROFILE_SAMPLE_NS of a thread's processor time.
 */
#ifndef TERN_TOOLS_PROFILE_SAMPLER_H
#define TERN_TOOLS_PROFILE_SAMPLER_H

#include "tools/profile/record.h"

/*
 * Begins to sample the calling thread as the main one, and threads that the program starts from now
 * on. Does nothing if the program handles or ignores SIGPROF. in_library: an address in the
 * OpenSHMEM library, whose own time is that of calls.
 */
void tern_sampler_start(struct tern_profile *profile, const void *in_library);

/* Ends the sampling of all threads. To be called in a child of fork, too. */
void tern_sampler_stop(void);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks of arguments, and their messages. */
#include "core/require.h"

#include <unistd.h>

#include "base/bytes.h"
#include "base/log.h"
#include "core/translation.h"

void tern_require_job(const char *routine)
{
    if (tern_job_runs())
        return;
    if (tern_boot_attach(environ)->forked)
        tern_fatal(routine, "called in the child of a fork: only the PE itself may use OpenSHMEM");
    if (tern_job.was_started)
        tern_fatal(routine, "called after shmem_finalize");
    tern_fatal(routine, "called before shmem_init");
}

void tern_require_refuse_pe(int pe, int n_pes, const char *routine)
{
    tern_fatal(routine, "PE %d is outside 0..%d", pe, n_pes - 1);
}

void tern_require_symmetric_at(const void *addr, size_t bytes, bool mapped, const char *argument,
                               const char *routine)
{
    char text[256];
    const char *problem;

    if (!addr)
        tern_fatal(routine, "%s is NULL: it must be a symmetric address", argument);
    problem = tern_translation_explain(addr, bytes, mapped, text, sizeof text);
    if (problem)
        tern_fatal(routine, "%s %p %s", argument, addr, problem);
}

void tern_require_symmetric(const void *addr, size_t bytes, const char *argument,
                            const char *routine)
{
    tern_require_job(routine);
    tern_require_symmetric_at(addr, bytes, tern_job.boot->n_nodes == 1, argument, routine);
}

void tern_require_refuse_alignment(const void *addr, unsigned width, const char *argument,
                                   const char *routine)
{
    tern_fatal(routine, "%s %p is not aligned: it must be a multiple of %u", argument, addr, width);
}

void tern_require_words(const void *addr, size_t n, unsigned width, const char *argument,
                        const char *routine)
{
    tern_require_symmetric(addr, tern_bytes_of(n, width), argument, routine);
    tern_require_aligned(addr, width, argument, routine);
}

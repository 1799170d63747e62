/* SPDX-License-Identifier: BSD-3-Clause */
/* The tool behind oshrun --check: looks at each call before it is made, and at what came of it. */
#include <shmem.h>

#include "tools/check/report.h"

static int inits; /* that no finalize has matched */

static void before(struct tern_call *call)
{
    if (call->routine->kind == TERN_KIND_FINALIZE && inits == 1)
        tern_check_report_end();
}

static void after(struct tern_call *call)
{
    switch (call->routine->kind) {
    case TERN_KIND_INIT:
    case TERN_KIND_INIT_THREAD:
    case TERN_KIND_START_PES:
        if (inits++ == 0)
            tern_check_report_identify(TERN_REAL(shmem_my_pe)(), TERN_REAL(shmem_n_pes)());
        break;
    case TERN_KIND_FINALIZE:
        inits--;
        break;
    default:
        break;
    }
}

void tern_tool_call(struct tern_call *call)
{
    before(call);
    tern_run(call);
    after(call);
}

static void __attribute__((constructor)) start(void)
{
    tern_check_report_start();
}

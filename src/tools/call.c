/* SPDX-License-Identifier: BSD-3-Clause */
/* Passes the program's calls to the tool, and other calls directly to the library. */
#include "tools/call.h"

#include <stdio.h>
#include <stdlib.h>

#include "tools/library.h"
#include "tools/quick.h"

__thread unsigned char tern_thread_state;
__thread unsigned tern_quick_left;
struct tern_quick tern_quick;

/* The state of the thread matters because some libraries call their own public routines. */
void tern_call(struct tern_call *call)
{
    if (tern_thread_state == TERN_INSIDE) {
        tern_run(call);
        return;
    }
    tern_thread_state = TERN_INSIDE;
    tern_thread_state = tern_tool_call(call) ? TERN_QUICK : TERN_OUTSIDE;
}

void tern_call_stay_inside(void)
{
    tern_thread_state = TERN_INSIDE;
}

bool tern_has(const char *name)
{
    return tern_library_find(name) != NULL;
}

void *tern_real(const char *name)
{
    void *routine = tern_library_find(name);

    if (!routine) {
        fprintf(stderr, "tern: the OpenSHMEM library of this program has no %s\n", name);
        abort();
    }
    return routine;
}

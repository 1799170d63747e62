/* SPDX-License-Identifier: BSD-3-Clause */
/* Tells the program's calls from others, and finds routines. */
#include "tools/call.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

#include "tools/quick.h"

__thread unsigned char tern_thread_state;
struct tern_quick tern_quick;

/* Some libraries call public routines in others. */
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

/* The next of that name, so that tools can be stacked; else the library under its profiling name.
 */
static void *find(const char *name)
{
    char profiling[128];
    void *routine = dlsym(RTLD_NEXT, name);

    if (routine)
        return routine;
    snprintf(profiling, sizeof profiling, "p%s", name);
    return dlsym(RTLD_NEXT, profiling);
}

bool tern_has(const char *name)
{
    return find(name) != NULL;
}

void *tern_real(const char *name)
{
    void *routine = find(name);

    if (!routine) {
        fprintf(stderr, "tern: the OpenSHMEM library of this program has no %s\n", name);
        abort();
    }
    return routine;
}

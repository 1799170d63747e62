/* SPDX-License-Identifier: BSD-3-Clause */
/* Tells the program's calls from others, and finds the library's routines. */
#include "tools/call.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

/* Some libraries call public routines in others. */
static __thread bool inside __attribute__((tls_model("initial-exec")));

void tern_call(struct tern_call *call)
{
    if (inside) {
        tern_run(call);
        return;
    }
    inside = true;
    tern_tool_call(call);
    inside = false;
}

void tern_call_stay_inside(void)
{
    inside = true;
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

/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the tool that wants the program's accesses, before the program's own constructors run. */
#include <dlfcn.h>

#include "instrument/calls.h"
#include "instrument/hooks.h"

const struct tern_instrument_hooks *tern_instrument_hooks;

/* A static program has no dynamic section, and no tool. */
extern const char _DYNAMIC[] __attribute__((weak, visibility("hidden")));

static void connect(void)
{
    static int is_connected;
    tern_instrument_tool_function *tool;

    if (is_connected || !_DYNAMIC)
        return;
    is_connected = 1;
    tool = (tern_instrument_tool_function *)dlsym(RTLD_DEFAULT, TERN_INSTRUMENT_TOOL);
    if (tool)
        tern_instrument_hooks = tool();
}

/* Priorities up to 100 belong to the C library. */
static void __attribute__((constructor(101))) start(void)
{
    connect();
}

/* Each instrumented file has a constructor that calls this function. */
CALL(void, init, (void))
{
    connect();
}

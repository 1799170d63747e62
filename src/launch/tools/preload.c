/* SPDX-License-Identifier: BSD-3-Clause */
/* Adds tools to LD_PRELOAD, by which the dynamic linker loads them into PEs. */
#include "launch/tools/preload.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/limit.h"
#include "base/log.h"
#include "base/tool_protocol.h"
#include "launch/tools/installed.h"
#include "launch/tools/profile.h"

static void warn_of_static_programs(const struct tern_options *options)
{
    for (size_t i = 0; i < options->n_programs; i++)
        if (options->programs[i].is_static)
            tern_warn("the program \"%s\" is static: no tool can be loaded into it; link it with "
                      "the shared library",
                      options->programs[i].path);
}

/*
 * Refuses a path with blanks or colons. The dynamic linker would split it, and run without the
 * tool.
 */
static int check_path(const char *path)
{
    int folder_bytes = (int)(strrchr(path, '/') - path);

    if (!path[strcspn(path, " :")])
        return 0;
    tern_error("tools can't be loaded from the directory \"%.*s\", since LD_PRELOAD is split at "
               "blanks and colons: move Tern to a directory without them",
               folder_bytes, path);
    return -EINVAL;
}

static int set_variable(const char *name, const char *value, bool replace)
{
    return setenv(name, value, replace) == 0 ? 0 : tern_limit_refuse(name, strlen(value) + 1);
}

/* Puts a library in front of those that LD_PRELOAD already names. */
static int preload_first(const char *library)
{
    const char *others = getenv("LD_PRELOAD");
    char *all;
    int r;

    if (asprintf(&all, "%s%s%s", library, others ? ":" : "", others ? others : "") < 0)
        return tern_limit_refuse("LD_PRELOAD", strlen(library) + 1);
    r = set_variable("LD_PRELOAD", all, true);
    free(all);
    return r;
}

static int preload(const char *installed, const char *built)
{
    char path[PATH_MAX];
    int r = tern_installed_find_tool(installed, built, path);

    if (!r)
        r = check_path(path);
    return r ? r : preload_first(path);
}

/*
 * The runtime of AddressSanitizer ends a program in which another library comes before it. So it
 * comes before the tools, if the program needs it as a shared library.
 */
static int preload_sanitizer(const struct tern_options *options)
{
    for (size_t i = 0; i < options->n_programs; i++)
        if (options->programs[i].libraries.sanitizer[0])
            return preload_first(options->programs[i].libraries.sanitizer);
    return 0;
}

/* The two paths of a tool for preload(): in an installation, and in a build tree. */
#define LIBRARY(name) TERN_TOOLS_FROM_BIN "/" name, "../tools/" name

static int load_chaos(const char *seed)
{
    int r = set_variable(TERN_CHAOS_VARIABLE, seed, true);

    return r ? r : preload(LIBRARY("libtern-chaos.so"));
}

static int load_check(const char *mode, const char *hang_timeout)
{
    /* A plain --check leaves the user's own setting. */
    bool is_plain = strcmp(mode, TERN_CHECK_GO) == 0;
    int r = set_variable(TERN_CHECK_VARIABLE, mode, !is_plain);

    if (!r && hang_timeout)
        r = set_variable(TERN_CHECK_HANG_VARIABLE, hang_timeout, true);
    if (!r)
        r = set_variable(TERN_BACKTRACE_VARIABLE, TERN_BACKTRACE_AUTO, false);
    return r ? r : preload(LIBRARY("libtern-check.so"));
}

static int load_profile(void)
{
    int r = preload(LIBRARY("libtern-profile.so"));

    return r ? r : tern_profile_prepare();
}

/*
 * The tool that is added last sees a call first. So the check sees the calls of the program, and
 * the profile what chaos makes of them.
 */
int tern_preload_tools(const struct tern_options *options)
{
    int r = 0;

    if (options->chaos || options->profile || options->check)
        warn_of_static_programs(options);
    if (options->chaos)
        r = load_chaos(options->chaos);
    if (!r && options->profile)
        r = load_profile();
    if (!r && options->check)
        r = load_check(options->check, options->hang_timeout);
    if (!r && (options->chaos || options->profile || options->check))
        r = preload_sanitizer(options);
    return r;
}

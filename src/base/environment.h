/* SPDX-License-Identifier: BSD-3-Clause */
/* Looks up environment variables quickly: every PE reads dozens while it starts. */
#ifndef TERN_BASE_ENVIRONMENT_H
#define TERN_BASE_ENVIRONMENT_H

#include <stddef.h>
#include <string.h>

/*
 * The value of the variable whose name is the first n characters of `name`, or NULL. Unlike
 * getenv() it does not use libc's environ, which may not be set yet before main.
 */
static inline const char *tern_environment_find(char *const *envp, const char *name, size_t n)
{
    for (; envp && *envp; envp++)
        if (**envp == *name && strncmp(*envp, name, n) == 0 && (*envp)[n] == '=')
            return *envp + n + 1;
    return NULL;
}

#endif

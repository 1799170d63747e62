/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps the site of the calls that a thread makes on behalf of another one. */
#include "ishmem/site.h"

#include <stddef.h>

static _Thread_local const void *current __attribute__((tls_model("initial-exec")));

const void *ishmemi_here(void)
{
    return __builtin_return_address(0);
}

const void *ishmemi_set_site(const void *site)
{
    const void *before = current;

    current = site;
    return before;
}

const void *ishmemi_site(void)
{
    return current;
}

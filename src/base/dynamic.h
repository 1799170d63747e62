/* SPDX-License-Identifier: BSD-3-Clause */
/* Loads libraries into the running program. */
#ifndef TERN_BASE_DYNAMIC_H
#define TERN_BASE_DYNAMIC_H

#include <stdbool.h>

/* Whether this program can load libraries, which one that is linked statically can not. */
bool tern_dynamic_works(void);

/* Loads a library with all that it needs; NULL if it can't, with the reason in dlerror(). */
void *tern_dynamic_load(const char *library);

#endif

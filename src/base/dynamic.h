/* SPDX-License-Identifier: BSD-3-Clause */
/* Loads libraries into the running program. */
#ifndef TERN_BASE_DYNAMIC_H
#define TERN_BASE_DYNAMIC_H

#include <stdbool.h>

/* Whether this program can load libraries; a static one can't. */
bool tern_dynamic_works(void);

/* Loads a library and those that it needs; NULL if that fails: dlerror() has the reason. */
void *tern_dynamic_load(const char *library);

#endif

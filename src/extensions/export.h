/* SPDX-License-Identifier: BSD-3-Clause */
/* Macros that define the routines of other interfaces than the standard's, as in api/export.h. */
#ifndef TERN_EXTENSIONS_EXPORT_H
#define TERN_EXTENSIONS_EXPORT_H

#include "api/export.h"

#pragma GCC visibility push(default)
#include <pshmemx.h>
#pragma GCC visibility pop

#endif

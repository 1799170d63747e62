/* SPDX-License-Identifier: BSD-3-Clause */
/* Holds the number of this PE. */
#include "tools/check/shared/identity.h"

struct tern_check_who tern_check_who = {.pe = -1};

/* SPDX-License-Identifier: BSD-3-Clause */
/* Holds the number of this PE. */
#include "tools/check/shared/identity.h"

struct tern_check_identity tern_check_identity = {.pe = -1};

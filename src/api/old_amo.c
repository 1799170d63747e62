/* SPDX-License-Identifier: BSD-3-Clause */
/* Atomic memory operations under their old names (deprecated since 1.4). */
#include "api/amo.h"

#include "api/form_plain.h"

#define TEMPLATE "api/old_amo_integer.inc"
#include "api/types/old_amo.inc"
#undef TEMPLATE

#define TEMPLATE "api/old_amo_real.inc"
#include "api/types/amo_real.inc"
#undef TEMPLATE

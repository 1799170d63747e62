/* SPDX-License-Identifier: BSD-3-Clause */
/* Atomic memory operations (9.7). */
#include "api/amo.h"

#include "core/ctx.h"

#include "api/form_plain.h"

#include "api/amo_form.inc"

#include "api/form_ctx.h"

#include "api/amo_form.inc"

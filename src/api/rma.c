/* SPDX-License-Identifier: BSD-3-Clause */
/* Remote memory access (9.6). */
#include "core/rma.h"

#include "api/export.h"
#include "core/ctx.h"

/* Each form, without and with a context; then elements with a type, and with only a size. */
#include "api/form_plain.h"
#include "api/rma_form.inc"

#include "api/form_ctx.h"
#include "api/rma_form.inc"

/* SPDX-License-Identifier: BSD-3-Clause */
/* Remote memory access (9.6). */
#include "core/rma.h"

#include "api/export.h"
#include "core/ctx.h"

/* For each form, with and without a context; then for elements with a type or only a size. */
#include "api/form_plain.h"
#include "api/rma_form.inc"

#include "api/form_ctx.h"
#include "api/rma_form.inc"

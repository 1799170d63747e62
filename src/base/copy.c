/* SPDX-License-Identifier: BSD-3-Clause */
/* The out-of-line part of copying. */
#include "base/copy.h"

#include "base/atomics.h"
#include "base/copy_choice.h"
#include "base/copy_kernels.h"

#define COPY(kernel) tern_copy_by_call##kernel
#define PARAMETERS
#define ARGUMENTS
#define AFTER return
#include "base/copy_by_call.inc"

/* SPDX-License-Identifier: BSD-3-Clause */
/* Non-blocking operations with handles. */
#include "base/bytes.h"
#include "core/request.h"

#include <string.h>

#include "api/form_plain.h"
#include "extensions/export.h"

#include "api/form_typed.h"

#define TEMPLATE "extensions/nb.inc"
#include "api/types/complex.inc"
#include "api/types/rma.inc"
#undef TEMPLATE

#include "api/form_sized.h"

#define TEMPLATE "extensions/nb.inc"
#include "api/types/mem.inc"
#include "api/types/sized.inc"
#define NAME /* routines without a size in their name: elements of 64 bits */
#define SIZE 8
#include TEMPLATE
#undef NAME
#undef SIZE
#undef TEMPLATE

#undef FORM
#define FORM shmemx_
#define WORD TERN_PASTE(uint, WIDTH, _t, , )

#define TEMPLATE "extensions/nb_swap.inc"
#include "api/types/amo.inc"
#include "api/types/amo_real.inc"
#undef TEMPLATE

#define TEMPLATE "extensions/nb_amo.inc"
#include "api/types/amo.inc"
#undef TEMPLATE

TERN_API(void, shmem_wait_nb)(void *handle)
{
    tern_request_wait(handle, TERN_ROUTINE);
}

TERN_API(int, shmem_test_nb)(void *handle)
{
    return tern_request_test(handle, TERN_ROUTINE);
}

TERN_API(void, shmemx_test_req)(shmemx_request_handle_t handle, int *flag)
{
    *flag = !handle || tern_request_test(handle, TERN_ROUTINE);
}

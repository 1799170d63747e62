/* SPDX-License-Identifier: BSD-3-Clause */
/* Compares the declarations of src/boot/external/pmix_abi.h with the header of the installed PMIx.
 */
#include "boot/external/pmix_abi.h"

#include <pmix.h>
#include <stddef.h>
#include <string.h>

#define SAME(ours, theirs) _Static_assert((ours) == (theirs), #ours " is not " #theirs)

SAME(TERN_PMIX_SUCCESS, PMIX_SUCCESS);
SAME(TERN_PMIX_ERR_LOST_CONNECTION, PMIX_ERR_LOST_CONNECTION);
SAME(TERN_PMIX_EVENT_ACTION_COMPLETE, PMIX_EVENT_ACTION_COMPLETE);
SAME(TERN_PMIX_BOOL, PMIX_BOOL);
SAME(TERN_PMIX_STRING, PMIX_STRING);
SAME(TERN_PMIX_UINT32, PMIX_UINT32);
SAME(TERN_PMIX_GLOBAL, PMIX_GLOBAL);
SAME(TERN_PMIX_RANK_WILDCARD, (PMIX_RANK_WILDCARD));

SAME(sizeof(struct tern_pmix_proc), sizeof(pmix_proc_t));
SAME(offsetof(struct tern_pmix_proc, rank), offsetof(pmix_proc_t, rank));
SAME(sizeof(struct tern_pmix_value), sizeof(pmix_value_t));
SAME(offsetof(struct tern_pmix_value, type), offsetof(pmix_value_t, type));
SAME(sizeof(((struct tern_pmix_value *)0)->type), sizeof(((pmix_value_t *)0)->type));
SAME(offsetof(struct tern_pmix_value, data), offsetof(pmix_value_t, data));
SAME(sizeof(struct tern_pmix_info), sizeof(pmix_info_t));
SAME(offsetof(struct tern_pmix_info, flags), offsetof(pmix_info_t, flags));
SAME(offsetof(struct tern_pmix_info, value), offsetof(pmix_info_t, value));
SAME(sizeof(pmix_scope_t), sizeof(uint8_t));
SAME(sizeof(pmix_status_t), sizeof(int));

int main(void)
{
    return strcmp(TERN_PMIX_JOB_SIZE, PMIX_JOB_SIZE) != 0 ||
           strcmp(TERN_PMIX_COLLECT_DATA, PMIX_COLLECT_DATA) != 0;
}

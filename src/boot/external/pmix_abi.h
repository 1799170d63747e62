/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What Tern uses of PMIx, laid out as in the PMIx Standard, versions 2 to 5. The library is loaded
 * at run time, so building needs no header of PMIx. tests/boot/pmix_abi.c compares this file with
 * one.
 */
#ifndef TERN_BOOT_EXTERNAL_PMIX_ABI_H
#define TERN_BOOT_EXTERNAL_PMIX_ABI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TERN_PMIX_LIBRARY "libpmix.so.2"

enum {
    TERN_PMIX_SUCCESS = 0,
    TERN_PMIX_ERR_LOST_CONNECTION = -61,
    TERN_PMIX_ERR_LOST_CONNECTION_TO_SERVER = -101, /* its name before version 4 */
    TERN_PMIX_EVENT_ACTION_COMPLETE = -334,
};

enum { TERN_PMIX_BOOL = 1, TERN_PMIX_STRING = 3, TERN_PMIX_UINT32 = 14 };

#define TERN_PMIX_GLOBAL 3 /* the scope of a value that all PEs can read */
#define TERN_PMIX_RANK_WILDCARD (UINT32_MAX - 1)
#define TERN_PMIX_JOB_SIZE "pmix.job.size"
#define TERN_PMIX_COLLECT_DATA "pmix.collect"

struct tern_pmix_proc {
    char nspace[256];
    uint32_t rank;
};

struct tern_pmix_value {
    uint16_t type;
    union {
        bool flag;
        char *string;
        uint32_t uint32;
        struct {
            char *name, *value;
            char separator;
        } longest;
    } data;
};

struct tern_pmix_info {
    char key[512];
    uint32_t flags;
    struct tern_pmix_value value;
};

typedef void tern_pmix_done(int status, void *arg);
typedef void tern_pmix_handled(int status, struct tern_pmix_info *results, size_t n_results,
                               tern_pmix_done *done, void *done_arg, void *arg);
typedef void tern_pmix_handler(size_t id, int status, const struct tern_pmix_proc *source,
                               struct tern_pmix_info *info, size_t n_info,
                               struct tern_pmix_info *results, size_t n_results,
                               tern_pmix_handled *handled, void *arg);
typedef void tern_pmix_registered(int status, size_t id, void *arg);

/* FUNCTION(field, type of its result, name, parameters) */
#define TERN_PMIX_FUNCTIONS(FUNCTION)                                                              \
    FUNCTION(init, int, PMIx_Init, (struct tern_pmix_proc * me, struct tern_pmix_info *, size_t))  \
    FUNCTION(finalize, int, PMIx_Finalize, (const struct tern_pmix_info *, size_t))                \
    FUNCTION(abort, int, PMIx_Abort,                                                               \
             (int status, const char *message, struct tern_pmix_proc *, size_t))                   \
    FUNCTION(put, int, PMIx_Put, (uint8_t scope, const char *key, struct tern_pmix_value *))       \
    FUNCTION(commit, int, PMIx_Commit, (void))                                                     \
    FUNCTION(fence, int, PMIx_Fence,                                                               \
             (const struct tern_pmix_proc *, size_t, const struct tern_pmix_info *, size_t))       \
    FUNCTION(get, int, PMIx_Get,                                                                   \
             (const struct tern_pmix_proc *, const char *key, const struct tern_pmix_info *,       \
              size_t, struct tern_pmix_value **))                                                  \
    FUNCTION(handle_event, void, PMIx_Register_event_handler,                                      \
             (int *codes, size_t, struct tern_pmix_info *, size_t, tern_pmix_handler *,            \
              tern_pmix_registered *, void *arg))                                                  \
    FUNCTION(name_error, const char *, PMIx_Error_string, (int))

#endif

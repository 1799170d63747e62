/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A library of PMIx that gives the input, line by line: the rank as in the environment, the job's
 * size, then values of PEs. "!" is an error, "#" a value of another type, "-" a string that is
 * missing, and "?" a value that is missing.
 */
#include <dlfcn.h>
#include <stdio.h>

#include "base/dynamic.h"
#include "boot/external/pmix_abi.h"
#include "boot/external/values.h"
#include "fuzz/target.h"

enum { MOST_VALUES = 64 };

static char *rest; /* of the input */
static uint32_t rank;

/* This program is the library. */
bool tern_dynamic_works(void)
{
    return true;
}

void *tern_dynamic_load(const char *library)
{
    return dlopen(NULL, RTLD_NOW);
}

#define DECLARE(field, type, name, parameters)                                                     \
    __attribute__((visibility("default"))) type name parameters;
TERN_PMIX_FUNCTIONS(DECLARE)

int PMIx_Init(struct tern_pmix_proc *me, struct tern_pmix_info *info, size_t n)
{
    *me = (struct tern_pmix_proc){.nspace = "job", .rank = rank};
    return TERN_PMIX_SUCCESS;
}

int PMIx_Finalize(const struct tern_pmix_info *info, size_t n)
{
    return TERN_PMIX_SUCCESS;
}

int PMIx_Abort(int status, const char *message, struct tern_pmix_proc *whom, size_t n)
{
    return TERN_PMIX_SUCCESS;
}

int PMIx_Put(uint8_t scope, const char *key, struct tern_pmix_value *value)
{
    return TERN_PMIX_SUCCESS;
}

int PMIx_Commit(void)
{
    return TERN_PMIX_SUCCESS;
}

int PMIx_Fence(const struct tern_pmix_proc *whom, size_t n, const struct tern_pmix_info *info,
               size_t n_info)
{
    return TERN_PMIX_SUCCESS;
}

void PMIx_Register_event_handler(int *codes, size_t n, struct tern_pmix_info *info, size_t n_info,
                                 tern_pmix_handler *handler, tern_pmix_registered *done, void *arg)
{
}

const char *PMIx_Error_string(int status)
{
    return "error";
}

int PMIx_Get(const struct tern_pmix_proc *whom, const char *key, const struct tern_pmix_info *info,
             size_t n, struct tern_pmix_value **value)
{
    char *line = strsep(&rest, "\n");

    *value = NULL;
    if (!line || strcmp(line, "!") == 0)
        return -1;
    if (strcmp(line, "?") == 0)
        return TERN_PMIX_SUCCESS;
    *value = calloc(1, sizeof **value);
    if (!*value)
        abort();
    if (strcmp(key, TERN_PMIX_JOB_SIZE) == 0 || strcmp(line, "#") == 0) {
        (*value)->type = *line == '#' ? TERN_PMIX_BOOL : TERN_PMIX_UINT32;
        (*value)->data.uint32 = (uint32_t)strtoul(line, NULL, 10);
    } else {
        (*value)->type = TERN_PMIX_STRING;
        (*value)->data.string = strcmp(line, "-") == 0 ? NULL : strdup(line);
    }
    return TERN_PMIX_SUCCESS;
}

/* With rooms of several lengths, which end where the sanitizer sees it. */
static void get_values(const struct tern_values *values)
{
    for (size_t i = 0; i < MOST_VALUES && rest; i++) {
        size_t bytes = 1 + 16 * i;
        char *text = malloc(bytes);

        if (!text)
            abort();
        if (tern_values_get(values, 0, "tern-card", text, bytes) == 0 && strlen(text) >= bytes)
            abort();
        free(text);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    char *text = text_of(data, bytes), variable[64];
    char space[] = "PMIX_NAMESPACE=job", server[] = "PMIX_SERVER_URI2=here";
    char *envp[] = {space, server, variable, NULL};
    struct tern_protocol_place place = {0};
    struct tern_start_error error = {0};
    struct tern_protocol_job job;
    const char *line;

    rest = text;
    line = strsep(&rest, "\n");
    snprintf(variable, sizeof variable, "PMIX_RANK=%s", line);
    if (tern_protocol_pmix.find(envp, &place, &error)) {
        rank = (uint32_t)place.pe;
        if (tern_protocol_pmix.connect(&job) == 0) {
            if (job.pe != place.pe || job.n_pes < 1)
                abort();
            get_values(&(struct tern_values){&tern_protocol_pmix, job.most_value_bytes});
        }
    }
    free(text);
    return 0;
}

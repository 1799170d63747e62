/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks the size, content and reuse of work arrays. */
#include "tools/check/args/work_arrays.h"

#include <shmem.h>
#include <string.h>

#include "tools/check/args/blocks.h"
#include "tools/check/args/signature.h"
#include "tools/check/report/findings.h"
#include "tools/check/shared/source_location.h"
#include "tools/check/shared/static_objects.h"

bool tern_check_work_arrays_in_use;

/* The last call that used work arrays. */
static struct {
    const struct tern_routine *routine;
    const void *site;
    const void *psync, *pwrk;
    int64_t start, log_stride, size;
} used;

/* Only Tern leaves the arrays untouched, and uses the sizes of its own headers. */
static bool is_tern(void)
{
    static int known = -1;
    char name[SHMEM_MAX_NAME_LEN];

    if (known < 0) {
        TERN_REAL(shmem_info_get_name)(name);
        known = strncmp(name, "Tern ", 5) == 0;
    }
    return known;
}

static const void *array(const struct tern_call *call, const char *name)
{
    int argument = tern_check_signature_argument(call->routine, name);

    return argument < 0 ? NULL : call->arg[argument].p;
}

/* Bytes from the address to the end of its object or block; 0 if that is unknown. */
static size_t room(const void *address)
{
    uintptr_t at = (uintptr_t)address;
    const struct tern_check_static_object *object = tern_check_static_objects_find(at);
    const struct tern_check_block *block = tern_check_blocks_find(at);

    if (object)
        return object->start + object->size - at;
    return block ? block->start + block->size - at : 0;
}

static bool has_room(const struct tern_call *call, const char *name, const void *address,
                     size_t needed, const char *needed_text)
{
    size_t bytes = room(address);

    if (bytes == 0 || bytes >= needed)
        return true;
    tern_check_findings_report(call, FINDING_WORK_ARRAY,
                               "%s needs %s, that is %zu bytes; there are only %zu", name,
                               needed_text, needed, bytes);
    return false;
}

/* ---- pSync ---- */

static size_t psync_elements(const struct tern_routine *routine, const char **text)
{
    static const struct {
        const char *part, *text;
        size_t elements;
    } sizes[] = {
        {"_to_all", "SHMEM_REDUCE_SYNC_SIZE elements", SHMEM_REDUCE_SYNC_SIZE},
        {"broadcast", "SHMEM_BCAST_SYNC_SIZE elements", SHMEM_BCAST_SYNC_SIZE},
        {"collect", "SHMEM_COLLECT_SYNC_SIZE elements", SHMEM_COLLECT_SYNC_SIZE},
        {"alltoalls", "SHMEM_ALLTOALLS_SYNC_SIZE elements", SHMEM_ALLTOALLS_SYNC_SIZE},
        {"alltoall", "SHMEM_ALLTOALL_SYNC_SIZE elements", SHMEM_ALLTOALL_SYNC_SIZE},
    };

    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        if (strstr(routine->name, sizes[i].part)) {
            *text = sizes[i].text;
            return sizes[i].elements;
        }
    *text = "SHMEM_BARRIER_SYNC_SIZE elements";
    return SHMEM_BARRIER_SYNC_SIZE;
}

static void check_psync(const struct tern_call *call, const long *psync)
{
    const char *text;
    size_t n = psync_elements(call->routine, &text);

    if (!psync || !has_room(call, "pSync", psync, n * sizeof *psync, text) || room(psync) == 0)
        return;
    for (size_t i = 0; i < n; i++)
        if (psync[i] != SHMEM_SYNC_VALUE) {
            tern_check_findings_report(call, FINDING_WORK_ARRAY,
                                       "pSync[%zu] has to be SHMEM_SYNC_VALUE, and is %ld", i,
                                       psync[i]);
            return;
        }
}

/* ---- pWrk ---- */

static void check_pwrk(struct tern_call *call, const void *pwrk)
{
    int64_t n = tern_call_number(call, TERN_NELEMS, 0) / 2 + 1;

    if (!pwrk)
        return;
    if (n < SHMEM_REDUCE_MIN_WRKDATA_SIZE)
        n = SHMEM_REDUCE_MIN_WRKDATA_SIZE;
    has_room(call, "pWrk", pwrk, (size_t)n * call->routine->element,
             "nreduce / 2 + 1 elements, and at least SHMEM_REDUCE_MIN_WRKDATA_SIZE");
}

/* ---- reuse ---- */

static bool only_synchronizes(const struct tern_routine *routine)
{
    return routine->kind == TERN_KIND_BARRIER || routine->kind == TERN_KIND_SYNC;
}

/* Successive barriers and syncs of one active set may share an array. */
static bool may_share(struct tern_call *call)
{
    return only_synchronizes(call->routine) && only_synchronizes(used.routine) &&
           tern_call_number(call, TERN_PE_START, 0) == used.start &&
           tern_call_number(call, TERN_LOG_PE_STRIDE, 0) == used.log_stride &&
           tern_call_number(call, TERN_PE_SIZE, 0) == used.size;
}

static void check_reuse(struct tern_call *call, const void *psync, const void *pwrk)
{
    bool again = psync && psync == used.psync;

    if (!tern_check_work_arrays_in_use || (!again && !(pwrk && pwrk == used.pwrk)) ||
        may_share(call))
        return;
    tern_check_findings_report(call, FINDING_WORK_ARRAY,
                               "%s was used by %s at %s, in which other PEs may still be: no call "
                               "since then shows that they have left it",
                               again ? "pSync" : "pWrk", used.routine->name,
                               tern_check_source_location_text(used.site));
}

static void note_use(struct tern_call *call, const void *site, const void *psync, const void *pwrk)
{
    used.routine = call->routine;
    used.site = site;
    used.psync = psync;
    used.pwrk = pwrk;
    used.start = tern_call_number(call, TERN_PE_START, 0);
    used.log_stride = tern_call_number(call, TERN_LOG_PE_STRIDE, 0);
    used.size = tern_call_number(call, TERN_PE_SIZE, 0);
    tern_check_work_arrays_in_use = used.size > 1; /* other PEs use it, too */
}

void tern_check_work_arrays_note_call(const struct tern_call *call)
{
    switch (call->routine->kind) {
    case TERN_KIND_QUERY:
    case TERN_KIND_CONTROL:
    case TERN_KIND_PUT:
    case TERN_KIND_PUT_NBI:
    case TERN_KIND_PUT_SIGNAL:
    case TERN_KIND_PUT_SIGNAL_NBI:
    case TERN_KIND_SIGNAL:
    case TERN_KIND_AMO:
    case TERN_KIND_FENCE:
    case TERN_KIND_QUIET:
    case TERN_KIND_PE_QUIET:
    case TERN_KIND_CTX_CREATE:
    case TERN_KIND_CTX_DESTROY:
    case TERN_KIND_LOCK_CLEAR:
        break; /* these show nothing of the progress of other PEs */
    default:
        tern_check_work_arrays_in_use = false;
    }
}

void tern_check_work_arrays_check(struct tern_call *call)
{
    const void *psync = array(call, "pSync"), *pwrk = array(call, "pWrk");
    const void *site = tern_check_source_location_site(call);

    /* Libraries for other languages pass arrays of other types. */
    if ((site == call->site || tern_check_source_location_site_name(site)) && is_tern()) {
        check_psync(call, psync);
        check_pwrk(call, pwrk);
    }
    check_reuse(call, psync, pwrk);
    note_use(call, site, psync, pwrk);
}

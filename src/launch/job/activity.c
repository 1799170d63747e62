/* SPDX-License-Identifier: BSD-3-Clause */
/* Groups the PEs by what their slots say that they do. */
#include "launch/job/activity.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/atomics.h"
#include "base/pe_list.h"
#include "base/text_buffer.h"

/* More groups would hide the cause of the job's end. */
#define MAX_GROUPS 4

#define ACTIVITY_BYTES 128

/* Copies the note of a PE, which may be writing it right now or may have corrupted it. */
static void copy_note(char *to, const struct tern_slot *slot)
{
    size_t i;

    for (i = 0; i < sizeof slot->waiting_in; i++) {
        char c = tern_load_relaxed(&slot->waiting_in[i]);

        if (!c)
            break;
        to[i] = isprint((unsigned char)c) ? c : '?';
    }
    to[i] = '\0';
}

/* Writes what follows "PE 3 was " or "PEs 0-2 were ". */
static void find_activity(const struct tern_pe *pe, char *activity)
{
    const struct tern_slot *slot = tern_launch_job_slot(pe);
    char note[sizeof slot->waiting_in + 1];

    copy_note(note, slot);
    if (!pe->running)
        strcpy(activity, "finished");
    else if (tern_load_acquire(&slot->waiting_since) && note[0])
        snprintf(activity, ACTIVITY_BYTES, "waiting in %s", note);
    else if (tern_load_acquire(&slot->phase) == TERN_SLOT_INITIALIZED)
        strcpy(activity, "computing");
    else if (tern_load_acquire(&slot->phase) == TERN_SLOT_FINALIZED)
        strcpy(activity, "past shmem_finalize");
    else
        strcpy(activity, "not in OpenSHMEM yet");
}

static bool anyone_used_openshmem(const struct tern_launch_job *job)
{
    for (uint32_t i = 0; i < job->n_pes; i++)
        if (tern_load_acquire(&job->object.shared->slots[i].phase) >= TERN_SLOT_INITIALIZED)
            return true;
    return false;
}

/* Adds one group: all PEs that do the same as PE `first`. Marks them as listed. */
static void add_group(char *buffer, size_t size, const struct tern_launch_job *job, uint32_t first,
                      bool *listed, const char *activity)
{
    struct tern_pe_list pes = {.n_ranges = 0};
    char other[ACTIVITY_BYTES];
    uint32_t n_pes = 0;

    for (uint32_t i = first; i < job->n_pes; i++) {
        uint32_t last = i;

        for (; last < job->n_pes && !listed[last]; last++) {
            find_activity(&job->pes[last], other);
            if (strcmp(other, activity) != 0)
                break;
            listed[last] = true;
            n_pes++;
        }
        if (last == i)
            continue;
        tern_pe_list_add(&pes, i, last - 1);
        i = last - 1;
    }
    tern_text_buffer_add(buffer, size, "; PE%s %s %s %s", n_pes > 1 ? "s" : "", pes.text,
                         n_pes > 1 ? "were" : "was", activity);
}

void tern_activity_describe(const struct tern_launch_job *job, const struct tern_pe *except,
                            char *buffer, size_t size)
{
    bool *listed = calloc(job->n_pes, sizeof *listed);
    uint32_t n_groups = 0;

    *buffer = '\0';
    if (!listed || !anyone_used_openshmem(job)) {
        free(listed);
        return;
    }
    if (except)
        listed[except->number] = true;
    for (uint32_t i = 0; i < job->n_pes; i++) {
        char activity[ACTIVITY_BYTES];

        if (listed[i])
            continue;
        if (n_groups++ == MAX_GROUPS) {
            tern_text_buffer_add(buffer, size, "; ...");
            break;
        }
        find_activity(&job->pes[i], activity);
        add_group(buffer, size, job, i, listed, activity);
    }
    free(listed);
}

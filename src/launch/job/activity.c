/* SPDX-License-Identifier: BSD-3-Clause */
/* Groups the PEs by what their slots say that they do. */
#include "launch/job/activity.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/atomics.h"
#include "base/os.h"
#include "base/pe_list.h"
#include "base/text_buffer.h"

/* More groups would hide the cause of the job's end. */
#define MAX_GROUPS 4
#define MAX_ROWS 14

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

/* PEs that do the same. */
struct group {
    char activity[ACTIVITY_BYTES];
    struct tern_pe_list pes;
    uint32_t n_pes;
    uint64_t first_since, last_since; /* when the first and the last one fell asleep; 0: unknown */
};

static void add_pe(struct group *group, const struct tern_pe *pe)
{
    uint64_t since = tern_load_relaxed(&tern_launch_job_slot(pe)->waiting_since);

    group->n_pes++;
    if (!since)
        return;
    if (!group->first_since || since < group->first_since)
        group->first_since = since;
    if (since > group->last_since)
        group->last_since = since;
}

/* Makes the group of all PEs that do the same as PE `first`. Marks them as listed. */
static void find_group(const struct tern_launch_job *job, uint32_t first, bool *listed,
                       struct group *group)
{
    char other[ACTIVITY_BYTES];

    *group = (struct group){.n_pes = 0};
    find_activity(&job->pes[first], group->activity);
    for (uint32_t i = first; i < job->n_pes; i++) {
        uint32_t last = i;

        for (; last < job->n_pes && !listed[last]; last++) {
            find_activity(&job->pes[last], other);
            if (last > first && strcmp(other, group->activity) != 0)
                break;
            listed[last] = true;
            add_pe(group, &job->pes[last]);
        }
        if (last == i)
            continue;
        tern_pe_list_add(&group->pes, i, last - 1);
        i = last - 1;
    }
}

/*
 * Calls add() for each group but that of `except`, up to `most` groups. Returns false if no PE has
 * used OpenSHMEM.
 */
static bool each_group(const struct tern_launch_job *job, const struct tern_pe *except,
                       uint32_t most, void (*add)(const struct group *group, void *text),
                       void *text)
{
    bool *listed = calloc(job->n_pes, sizeof *listed);
    uint32_t n_groups = 0;
    struct group group;

    if (!listed || !anyone_used_openshmem(job)) {
        free(listed);
        return false;
    }
    if (except)
        listed[except->number] = true;
    for (uint32_t i = 0; i < job->n_pes; i++) {
        if (listed[i])
            continue;
        if (n_groups++ == most) {
            add(NULL, text);
            break;
        }
        find_group(job, i, listed, &group);
        add(&group, text);
    }
    free(listed);
    return true;
}

struct text {
    char *buffer;
    size_t size;
    uint64_t now;
};

/* group: NULL for the mark that there are more. */
static void add_clause(const struct group *group, void *to)
{
    const struct text *text = to;

    if (group)
        tern_text_buffer_add(text->buffer, text->size, "; PE%s %s %s %s",
                             group->n_pes > 1 ? "s" : "", group->pes.text,
                             group->n_pes > 1 ? "were" : "was", group->activity);
    else
        tern_text_buffer_add(text->buffer, text->size, "; ...");
}

void tern_activity_describe(const struct tern_launch_job *job, const struct tern_pe *except,
                            char *buffer, size_t size)
{
    struct text text = {buffer, size, 0};

    *buffer = '\0';
    each_group(job, except, MAX_GROUPS, add_clause, &text);
}

static double seconds(uint64_t since, uint64_t now)
{
    return now > since ? (double)(now - since) / 1e9 : 0;
}

static void add_row(const struct group *group, void *to)
{
    const struct text *text = to;
    char pes[sizeof group->pes.text + 8];

    if (!group) {
        tern_text_buffer_add(text->buffer, text->size, "\n    ...");
        return;
    }
    snprintf(pes, sizeof pes, "PE%s %s", group->n_pes > 1 ? "s" : "", group->pes.text);
    tern_text_buffer_add(text->buffer, text->size, "\n    %-12s %s", pes, group->activity);
    if (!group->first_since)
        return;
    tern_text_buffer_add(text->buffer, text->size, " for %.1f",
                         seconds(group->last_since, text->now));
    if (group->last_since - group->first_since > 100 * TERN_MS)
        tern_text_buffer_add(text->buffer, text->size, " to %.1f",
                             seconds(group->first_since, text->now));
    tern_text_buffer_add(text->buffer, text->size, " s");
}

bool tern_activity_list(const struct tern_launch_job *job, char *buffer, size_t size)
{
    struct text text = {buffer, size, tern_os_now_ns()};

    *buffer = '\0';
    return each_group(job, NULL, MAX_ROWS, add_row, &text);
}

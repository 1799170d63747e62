/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks counts, indices, texts and times of a PE's file. */
#include "tools/report/validate.h"

#include <stdbool.h>
#include <string.h>

/* A hundred years of CLOCK_MONOTONIC, and more: sums of two such times fit into an int64_t. */
#define MOST_NS (UINT64_C(1) << 62)

/* Widened by one more step, the last bucket of a PE still ends below 2^64. */
#define MOST_BUCKET_NS (MOST_NS / TERN_PROFILE_BUCKETS)

#define ENDS(text) (memchr(text, '\0', sizeof(text)) != NULL)

static const char *check_head(const struct tern_profile_head *head)
{
    if (!ENDS(head->host) || head->command_bytes > sizeof head->command)
        return "a text of its head does not end";
    if (head->bucket_ns < 1024 || head->bucket_ns > MOST_BUCKET_NS ||
        (head->bucket_ns & (head->bucket_ns - 1)) != 0)
        return "the length of its time steps is impossible";
    if (head->began > MOST_NS || head->last > MOST_NS || head->ended > MOST_NS ||
        head->last < head->began || (head->ended && head->ended < head->began))
        return "it ends before it begins";
    if (head->current_site > head->n_sites ||
        (head->current_site && head->current_since < head->began))
        return "its last call is none of its calls";
    return NULL;
}

static bool fit_counts(const struct tern_profile_head *head)
{
    return head->n_modules <= TERN_PROFILE_MODULES && head->n_sites <= TERN_PROFILE_SITES &&
           head->n_updates <= TERN_PROFILE_WORDS && head->n_waits <= TERN_PROFILE_WORDS &&
           head->n_meetings <= TERN_PROFILE_MEETINGS && head->n_events <= TERN_PROFILE_EVENTS &&
           head->n_puts <= TERN_PROFILE_PUTS && head->n_phases <= TERN_PROFILE_PHASES &&
           head->n_spans <= TERN_PROFILE_SPANS && head->meeting_shift < 64;
}

static bool are_texts_ended(const struct tern_profile *profile)
{
    bool ended = true;

    for (uint32_t i = 0; i < profile->head.n_modules; i++)
        ended &= ENDS(profile->modules[i].path);
    for (uint32_t i = 0; i < profile->head.n_sites; i++)
        ended &= ENDS(profile->sites[i].routine);
    for (uint32_t i = 0; i < profile->head.n_phases; i++)
        ended &= ENDS(profile->phases[i].name);
    return ended;
}

static bool are_indices_known(const struct tern_profile *profile)
{
    const struct tern_profile_head *head = &profile->head;
    bool known = true;

    for (uint32_t i = 0; i < head->n_sites; i++)
        known &= profile->sites[i].activity < TERN_N_ACTIVITIES;
    for (uint32_t i = 0; i < head->n_events; i++)
        known &= profile->events[i].site < head->n_sites;
    for (uint32_t i = 0; i < head->n_puts; i++)
        known &= profile->puts[i].site < head->n_sites;
    for (uint32_t i = 0; i < head->n_spans; i++)
        known &= profile->spans[i].phase < head->n_phases;
    return known;
}

static bool are_times_possible(const struct tern_profile *profile)
{
    uint64_t most = 0;

    for (uint32_t i = 0; i < profile->head.n_meetings; i++)
        most |= profile->meetings[i].came | profile->meetings[i].left;
    for (uint32_t i = 0; i < profile->head.n_events; i++)
        most |= profile->events[i].began | profile->events[i].ns;
    for (uint32_t i = 0; i < profile->head.n_puts; i++)
        most |= profile->puts[i].began | profile->puts[i].ns;
    for (uint32_t i = 0; i < profile->head.n_spans; i++)
        most |= profile->spans[i].began | profile->spans[i].ended;
    return most < MOST_NS;
}

const char *tern_report_find_damage(const struct tern_profile *profile, size_t bytes, uint32_t pe)
{
    const struct tern_profile_head *head = &profile->head;
    const char *wrong;

    if (head->magic != TERN_PROFILE_MAGIC)
        return "it does not begin as a profile does";
    if (bytes != sizeof *profile + head->n_pes * sizeof profile->peers[0])
        return "its length is not that of a job of as many PEs";
    if (head->pe != pe || pe >= head->n_pes)
        return "it is of another PE than its name says";
    if (!fit_counts(head))
        return "it counts more records than it has room for";
    wrong = check_head(head);
    if (wrong)
        return wrong;
    if (!are_texts_ended(profile))
        return "a text of its tables does not end";
    if (!are_indices_known(profile))
        return "a record names a call or a phase that it does not have";
    return are_times_possible(profile) ? NULL : "a record has an impossible time";
}

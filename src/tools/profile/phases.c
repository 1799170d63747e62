/* SPDX-License-Identifier: BSD-3-Clause */
/* Adds what the main thread does to the current phase. */
#include "tools/profile/phases.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static struct tern_profile_phase *current;
static struct tern_profile_span *span; /* of the current phase; NULL: there was no room */
static uint64_t began;

/* Returns NULL if there is no room for a further name. */
static struct tern_profile_phase *find(struct tern_profile *profile, const char *name)
{
    char cut[TERN_PROFILE_PHASE_NAME];
    uint32_t *n = &profile->head.n_phases;

    snprintf(cut, sizeof cut, "%s", name);
    for (uint32_t i = 0; i < *n; i++)
        if (strcmp(profile->phases[i].name, cut) == 0)
            return &profile->phases[i];
    if (*n == TERN_PROFILE_PHASES)
        return NULL;
    memcpy(profile->phases[*n].name, cut, sizeof cut);
    return &profile->phases[(*n)++];
}

static void end(uint64_t now)
{
    if (current)
        current->ns += now - began;
    if (span)
        span->ended = now;
    current = NULL;
    span = NULL;
}

void tern_phases_begin(struct tern_profile *profile, const char *name, uint64_t now)
{
    end(now);
    if (!name || !*name)
        return;
    current = find(profile, name);
    if (!current)
        return;
    began = now;
    current->times++;
    if (profile->head.n_spans < TERN_PROFILE_SPANS) {
        span = &profile->spans[profile->head.n_spans];
        *span = (struct tern_profile_span){now, 0, (uint32_t)(current - profile->phases)};
        profile->head.n_spans++;
    }
}

void tern_phases_add(struct tern_profile *profile, enum tern_activity activity, uint64_t ns,
                     uint64_t calls, uint64_t bytes)
{
    if (!current)
        return;
    current->spent[activity] += ns;
    current->calls += calls;
    current->bytes += bytes;
}

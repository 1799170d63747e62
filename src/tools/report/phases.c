/* SPDX-License-Identifier: BSD-3-Clause */
/* Adds up the phases of one name on all PEs. */
#include <string.h>

#include "tools/report/job.h"

/* Whether a PE before the one with this index has a phase of the name. */
static bool is_known(const struct tern_report *report, uint32_t index, const char *name)
{
    for (uint32_t i = 0; i < index; i++)
        for (uint32_t j = 0; j < report->pes[i].head.n_phases; j++)
            if (strcmp(report->pes[i].phases[j].name, name) == 0)
                return true;
    return false;
}

/* The n-th name of a phase, in the order in which PEs have them; NULL after the last one. */
static const char *find_name(const struct tern_report *report, unsigned n)
{
    for (uint32_t i = 0; i < report->n_read; i++)
        for (uint32_t j = 0; j < report->pes[i].head.n_phases; j++) {
            const char *name = report->pes[i].phases[j].name;

            if (!is_known(report, i, name) && n-- == 0)
                return name;
        }
    return NULL;
}

static void add(struct tern_phase_sum *sum, const struct tern_profile_phase *phase)
{
    sum->all.times += phase->times;
    sum->all.ns += phase->ns;
    sum->all.calls += phase->calls;
    sum->all.bytes += phase->bytes;
    for (int a = 0; a < TERN_N_ACTIVITIES; a++)
        sum->all.spent[a] += phase->spent[a];
    if (phase->ns > sum->most_ns)
        sum->most_ns = phase->ns;
}

bool tern_report_phase(const struct tern_report *report, unsigned n, struct tern_phase_sum *sum)
{
    const char *name = find_name(report, n);

    memset(sum, 0, sizeof *sum);
    if (!name)
        return false;
    snprintf(sum->all.name, sizeof sum->all.name, "%s", name);
    for (uint32_t i = 0; i < report->n_read; i++)
        for (uint32_t j = 0; j < report->pes[i].head.n_phases; j++)
            if (strcmp(report->pes[i].phases[j].name, name) == 0)
                add(sum, &report->pes[i].phases[j]);
    return true;
}

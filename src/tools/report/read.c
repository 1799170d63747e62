/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the profiles of a job's PEs. */
#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/tool_protocol.h"
#include "tools/report/job.h"

static void *read_table(FILE *file, size_t n, size_t bytes)
{
    void *table = calloc(n + 1, bytes);

    if (table && fread(table, bytes, n, file) != n) {
        free(table);
        table = NULL;
    }
    return table;
}

static int read_tables(struct tern_pe_profile *pe, FILE *file)
{
    const struct tern_profile_head *head = &pe->head;

    if (fread(&pe->head, sizeof pe->head, 1, file) != 1 || head->magic != TERN_PROFILE_MAGIC ||
        head->command_bytes > sizeof head->command)
        return -EINVAL;
    pe->peers = read_table(file, head->n_pes, sizeof *pe->peers);
    pe->modules = read_table(file, head->n_modules, sizeof *pe->modules);
    pe->sites = read_table(file, head->n_sites, sizeof *pe->sites);
    pe->updates = read_table(file, head->n_updates, sizeof *pe->updates);
    pe->waits = read_table(file, head->n_waits, sizeof *pe->waits);
    pe->meetings = read_table(file, head->n_meetings, sizeof *pe->meetings);
    pe->events = read_table(file, head->n_events, sizeof *pe->events);
    pe->places = calloc(head->n_sites + 1, sizeof *pe->places);
    return pe->peers && pe->modules && pe->sites && pe->updates && pe->waits && pe->meetings &&
                   pe->events && pe->places
               ? 0
               : -EINVAL;
}

static int read_pe(struct tern_report *report, const char *folder, const char *name)
{
    struct tern_pe_profile *pes;
    char path[4096];
    FILE *file;
    int r;

    pes = reallocarray(report->pes, report->n_read + 1, sizeof *pes);
    if (!pes)
        return -ENOMEM;
    report->pes = pes;
    memset(&pes[report->n_read], 0, sizeof *pes);
    snprintf(path, sizeof path, "%s/%s", folder, name);
    file = fopen(path, "re");
    if (!file)
        return -errno;
    r = read_tables(&pes[report->n_read], file);
    fclose(file);
    if (r) {
        fprintf(stderr, "tern-profile: %s is no whole profile\n", path);
        return 0;
    }
    report->n_read++;
    return 0;
}

static int by_number(const void *a, const void *b)
{
    const struct tern_pe_profile *one = a, *other = b;

    return (one->head.pe > other->head.pe) - (one->head.pe < other->head.pe);
}

/* PEs of one machine share a clock. PEs of several machines are assumed to have begun together. */
static void align(struct tern_report *report)
{
    uint64_t first = UINT64_MAX;

    for (uint32_t i = 0; i < report->n_read; i++) {
        if (strcmp(report->pes[i].head.host, report->pes[0].head.host) != 0)
            return;
        if (report->pes[i].head.began < first)
            first = report->pes[i].head.began;
    }
    for (uint32_t i = 0; i < report->n_read; i++)
        report->pes[i].start = (int64_t)(report->pes[i].head.began - first);
}

static struct tern_place *find_place(struct tern_report *report,
                                     const struct tern_profile_site *site, const char *module)
{
    struct tern_place *places;

    for (uint32_t i = 0; i < report->n_places; i++)
        if (report->places[i].address == site->address &&
            strcmp(report->places[i].routine, site->routine) == 0 &&
            strcmp(report->places[i].module, module) == 0)
            return &report->places[i];
    places = reallocarray(report->places, report->n_places + 1, sizeof *places);
    if (!places)
        return NULL;
    report->places = places;
    places += report->n_places++;
    memset(places, 0, sizeof *places);
    places->address = site->address;
    snprintf(places->routine, sizeof places->routine, "%s", site->routine);
    snprintf(places->module, sizeof places->module, "%s", module);
    return places;
}

static int gather_places(struct tern_report *report, struct tern_pe_profile *pe)
{
    for (uint32_t i = 0; i < pe->head.n_sites; i++) {
        const struct tern_profile_site *site = &pe->sites[i];
        bool known = site->module >= 0 && (uint32_t)site->module < pe->head.n_modules;
        struct tern_place *place;

        place = find_place(report, site, known ? pe->modules[site->module].path : "?");
        if (!place)
            return -ENOMEM;
        place->calls += site->calls;
        place->ns += site->ns;
        place->bytes += site->bytes;
        if (site->longest_ns > place->longest_ns)
            place->longest_ns = site->longest_ns;
        pe->places[i] = (int)(place - report->places);
    }
    return 0;
}

/* Sorts the places, and renumbers each site's place: that is an index into their list. */
int tern_report_sort_places(struct tern_report *report)
{
    int *new_index = calloc(report->n_places + 1, sizeof *new_index);
    struct tern_place *sorted = calloc(report->n_places + 1, sizeof *sorted);

    if (!new_index || !sorted)
        return -ENOMEM;
    for (uint32_t i = 0; i < report->n_places; i++) {
        for (uint32_t j = 0; j < report->n_places; j++) {
            uint64_t mine = report->places[i].ns, other = report->places[j].ns;

            new_index[i] += other > mine || (other == mine && j < i);
        }
        sorted[new_index[i]] = report->places[i];
    }
    for (uint32_t p = 0; p < report->n_read; p++)
        for (uint32_t i = 0; i < report->pes[p].head.n_sites; i++)
            report->pes[p].places[i] = new_index[report->pes[p].places[i]];
    free(report->places);
    free(new_index);
    report->places = sorted;
    return 0;
}

int tern_report_read(struct tern_report *report, const char *folder)
{
    DIR *dir = opendir(folder);
    struct dirent *entry;
    int r = 0;

    if (!dir) {
        r = -errno;
        fprintf(stderr, "tern-profile: there is no profile in %s: %s\n", folder, strerror(-r));
        return r;
    }
    while (!r && (entry = readdir(dir)))
        if (tern_profile_is_part(entry->d_name))
            r = read_pe(report, folder, entry->d_name);
    closedir(dir);
    if (!r && report->n_read == 0) {
        fprintf(stderr, "tern-profile: no PE has left a profile in %s\n", folder);
        return -ENOENT;
    }
    if (r)
        return r;
    qsort(report->pes, report->n_read, sizeof *report->pes, by_number);
    report->n_pes = report->pes[0].head.n_pes;
    for (uint32_t i = 0; i < report->n_read; i++)
        if (report->pes[i].head.n_pes != report->n_pes || report->pes[i].head.pe >= report->n_pes) {
            fprintf(stderr, "tern-profile: %s has profiles of several jobs\n", folder);
            return -EINVAL;
        }
    align(report);
    for (uint32_t i = 0; !r && i < report->n_read; i++)
        r = gather_places(report, &report->pes[i]);
    return r ? r : tern_report_sort_places(report);
}

uint64_t tern_report_other_calls(const struct tern_report *report)
{
    uint64_t calls = 0;

    for (uint32_t i = 0; i < report->n_read; i++)
        calls += report->pes[i].head.other_sites;
    return calls;
}

void tern_report_beside(const struct tern_report *report, uint64_t *calls, uint64_t *ns)
{
    *calls = *ns = 0;
    for (uint32_t i = 0; i < report->n_read; i++) {
        *calls += report->pes[i].head.calls_beside;
        *ns += report->pes[i].head.ns_beside;
    }
}

double tern_report_cell(const struct tern_report *report, enum tern_matrix which,
                        const struct tern_pe_profile *pe, uint32_t peer)
{
    const struct tern_profile_peer *with = &pe->peers[peer];

    switch (which) {
    case TERN_BYTES:
        return (double)with->put_bytes + (double)with->get_bytes + 8 * (double)with->atomics;
    case TERN_OPERATIONS:
        return (double)with->operations;
    default:
        return report->waited[(size_t)pe->head.pe * report->n_pes + peer];
    }
}

uint64_t tern_report_span(const struct tern_pe_profile *pe)
{
    return pe->head.ended - pe->head.began;
}

uint64_t tern_report_time(const struct tern_pe_profile *pe)
{
    return tern_report_span(pe) - pe->head.spent[TERN_APART];
}

uint64_t tern_report_computed(const struct tern_pe_profile *pe)
{
    uint64_t rest = tern_report_time(pe);

    for (int a = 0; a < TERN_N_ACTIVITIES; a++)
        rest -= pe->head.spent[a] < rest ? pe->head.spent[a] : rest;
    return rest;
}

double tern_report_imbalance(const struct tern_report *report, double *share)
{
    double computed = 0, all = 0, most = 0;

    for (uint32_t i = 0; i < report->n_read; i++) {
        double mine = (double)tern_report_computed(&report->pes[i]);

        all += (double)tern_report_time(&report->pes[i]);
        computed += mine;
        most = mine > most ? mine : most;
    }
    *share = all > 0 ? computed / all : 0;
    return *share < TERN_REPORT_LITTLE ? 0 : most * report->n_read / computed;
}

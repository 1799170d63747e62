/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the profiles of a job's PEs. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/tool_protocol.h"
#include "tools/report/job.h"
#include "tools/report/validate.h"

/* Maps the file privately. Prints one line and returns NULL if it can't be used. */
static struct tern_profile *map_file(int fd, const char *path, uint32_t pe, size_t *bytes)
{
    const char *wrong = "it is too short";
    struct tern_profile *profile = MAP_FAILED;
    struct stat file;

    if (fstat(fd, &file) == 0 && file.st_size >= (off_t)sizeof *profile) {
        *bytes = (size_t)file.st_size;
        profile = mmap(NULL, *bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);
        wrong =
            profile == MAP_FAILED ? strerror(errno) : tern_report_find_damage(profile, *bytes, pe);
    }
    if (!wrong)
        return profile;
    fprintf(stderr, "tern-profile: %s is damaged, and is left out: %s\n", path, wrong);
    if (profile != MAP_FAILED)
        munmap(profile, *bytes);
    return NULL;
}

static int take_tables(struct tern_pe_profile *pe, struct tern_profile *profile)
{
    pe->head = profile->head;
    pe->profile = profile;
    pe->peers = profile->peers;
    pe->modules = profile->modules;
    pe->sites = profile->sites;
    pe->updates = profile->updates;
    pe->waits = profile->waits;
    pe->meetings = profile->meetings;
    pe->events = profile->events;
    pe->puts = profile->puts;
    pe->samples = profile->samples;
    pe->phases = profile->phases;
    pe->spans = profile->spans;
    pe->places = calloc(pe->head.n_sites + 1, sizeof *pe->places);
    return pe->places ? 0 : -ENOMEM;
}

static int read_pe(struct tern_report *report, const char *folder, const char *name)
{
    struct tern_pe_profile *pes;
    struct tern_profile *profile;
    char path[4096];
    uint32_t number;
    size_t bytes;
    int fd;

    if (!tern_profile_is_part(name, &number))
        return 0;
    pes = reallocarray(report->pes, report->n_read + 1, sizeof *pes);
    if (!pes)
        return -ENOMEM;
    report->pes = pes;
    memset(&pes[report->n_read], 0, sizeof *pes);
    snprintf(path, sizeof path, "%s/%s", folder, name);
    fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        fprintf(stderr, "tern-profile: %s can't be read: %s\n", path, strerror(errno));
        return 0;
    }
    profile = map_file(fd, path, number, &bytes);
    close(fd);
    if (!profile)
        return 0;
    pes[report->n_read].bytes = bytes;
    report->n_read++;
    return take_tables(&pes[report->n_read - 1], profile);
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

/* Adds a call that had not returned when the PE was killed. */
static void end_current_call(struct tern_pe_profile *pe, uint64_t end)
{
    struct tern_profile_head *head = &pe->head;
    uint32_t site = head->current_site - 1;

    if (head->current_site == 0 || site >= head->n_sites || head->current_since >= end)
        return;
    pe->is_in_call = true;
    pe->current_site = site;
    pe->current_ns = end - head->current_since;
    pe->sites[site].calls++;
    pe->sites[site].ns += pe->current_ns;
    if (pe->sites[site].longest_ns < pe->current_ns)
        pe->sites[site].longest_ns = pe->current_ns;
    head->calls++;
    head->spent[pe->sites[site].activity] += pe->current_ns;
    for (uint64_t at = head->current_since; at < end;) {
        uint64_t bucket = (at - head->began) / head->bucket_ns;
        uint64_t next = head->began + (bucket + 1) * head->bucket_ns;

        if (bucket >= TERN_PROFILE_BUCKETS)
            break;
        head->buckets[bucket][pe->sites[site].activity] += (next < end ? next : end) - at;
        at = next;
    }
    if (head->n_events < TERN_PROFILE_EVENTS)
        pe->events[head->n_events++] = (struct tern_profile_event){
            .began = head->current_since,
            .ns = pe->current_ns,
            .thread = (uint16_t)head->main_thread,
            .site = (uint16_t)site,
            .peer = -1,
        };
}

/* Widens the buckets of a PE until `end` lies in one of them. */
static void widen(struct tern_profile_head *head, uint64_t end)
{
    while ((end - head->began) / head->bucket_ns >= TERN_PROFILE_BUCKETS) {
        for (size_t i = 0; i < TERN_PROFILE_BUCKETS; i++)
            for (int a = 0; a < TERN_N_SPENT; a++) {
                uint64_t ns = head->buckets[i][a];

                head->buckets[i][a] = 0;
                head->buckets[i / 2][a] += ns;
            }
        head->bucket_ns *= 2;
    }
}

/*
 * The profile of a PE that did not end as it should lasts until the end of the job, which the
 * launcher tells, or else until the last record of a PE of its machine.
 */
static void end_killed(struct tern_report *report)
{
    const char *given = getenv(TERN_PROFILE_ENDED_VARIABLE);
    uint64_t end = given ? strtoull(given, NULL, 10) : 0;

    for (uint32_t i = 0; !end && i < report->n_read; i++)
        for (uint32_t j = 0; j < report->n_read; j++)
            if (strcmp(report->pes[j].head.host, report->pes[i].head.host) == 0 &&
                report->pes[j].head.last > end)
                end = report->pes[j].head.last;
    for (uint32_t i = 0; i < report->n_read; i++) {
        struct tern_pe_profile *pe = &report->pes[i];

        if (pe->head.ended)
            continue;
        pe->was_killed = true;
        pe->head.ended = end > pe->head.last ? end : pe->head.last;
        widen(&pe->head, pe->head.ended);
        end_current_call(pe, pe->head.ended);
    }
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

    if (!new_index || !sorted) {
        free(new_index);
        free(sorted);
        return -ENOMEM;
    }
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
        if (report->pes[i].head.n_pes != report->n_pes) {
            fprintf(stderr, "tern-profile: %s has profiles of several jobs\n", folder);
            return -EINVAL;
        }
    align(report);
    end_killed(report);
    for (uint32_t i = 0; !r && i < report->n_read; i++)
        r = gather_places(report, &report->pes[i]);
    return r ? r : tern_report_sort_places(report);
}

void tern_report_free(struct tern_report *report)
{
    for (uint32_t i = 0; i < report->n_read; i++) {
        free(report->pes[i].places);
        munmap(report->pes[i].profile, report->pes[i].bytes);
    }
    free(report->pes);
    free(report->places);
    free(report->waited);
    free(report->rooted);
    free(report->arrows);
    free(report->spots);
    *report = (struct tern_report){.n_pes = 0};
}

uint64_t tern_report_other_calls(const struct tern_report *report)
{
    uint64_t calls = 0;

    for (uint32_t i = 0; i < report->n_read; i++)
        calls += report->pes[i].head.other_sites;
    return calls;
}

uint64_t tern_report_estimated(const struct tern_report *report)
{
    uint64_t calls = 0;

    for (uint32_t i = 0; i < report->n_read; i++)
        calls += report->pes[i].head.estimated;
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

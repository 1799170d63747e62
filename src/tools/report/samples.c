/* SPDX-License-Identifier: BSD-3-Clause */
/* Combines the samples of all PEs into functions: where the program computes. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tools/report/addresses.h"
#include "tools/report/job.h"

/* An address with samples, on one PE. */
struct tally {
    uint32_t pe; /* an index in the report's PEs */
    uint64_t samples;
    bool in_library; /* in a library that was called there */
};

static const struct tern_profile_module *module_of(const struct tern_pe_profile *pe,
                                                   uint64_t address)
{
    for (uint32_t i = 0; i < pe->head.n_modules; i++)
        if (address - pe->modules[i].start < pe->modules[i].end - pe->modules[i].start)
            return &pe->modules[i];
    return NULL;
}

/* Lists the addresses with samples. Returns how many there are. */
static uint32_t list_samples(const struct tern_report *report, struct tern_address *addresses,
                             struct tally *tallies)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < report->n_read; i++)
        for (uint32_t j = 0; j < TERN_PROFILE_SAMPLES; j++) {
            const struct tern_profile_sample *sample = &report->pes[i].samples[j];
            const struct tern_profile_module *module = module_of(&report->pes[i], sample->address);

            if (sample->main + sample->beside == 0)
                continue;
            if (addresses) {
                addresses[n].file = module ? module->path : "?";
                addresses[n].address = sample->address - (module ? module->bias : 0);
                tallies[n] = (struct tally){i, (uint64_t)sample->main + sample->beside,
                                            sample->library != 0};
            }
            n++;
        }
    return n;
}

static void name_spot(struct tern_spot *spot, const struct tern_address *address)
{
    const char *slash = strrchr(address->file, '/');

    if (address->function[0])
        snprintf(spot->function, sizeof spot->function, "%s", address->function);
    else
        snprintf(spot->function, sizeof spot->function, "code without a name");
    if (address->line[0])
        snprintf(spot->where, sizeof spot->where, "%s", address->line);
    else
        snprintf(spot->where, sizeof spot->where, "%s", slash ? slash + 1 : address->file);
}

static int by_function_and_line(const void *a, const void *b)
{
    const struct tern_spot *one = a, *other = b;
    int order = strcmp(one->function, other->function);

    return order ? order : strcmp(one->where, other->where);
}

static int by_time(const void *a, const void *b)
{
    const struct tern_spot *one = a, *other = b;

    return (one->ns < other->ns) - (one->ns > other->ns);
}

/* Whether two lines are in the same source file, so that functions of one name are one. */
static bool share_source(const char *one, const char *other)
{
    size_t n = strcspn(one, ":");

    return n == strcspn(other, ":") && strncmp(one, other, n) == 0;
}

/*
 * Merges spots of one function; these are neighbours. The line is the one with most samples; times
 * of each PE are in pe_ns.
 */
static void merge_functions(struct tern_report *report)
{
    uint32_t kept = 0;

    for (uint32_t i = 0, end; i < report->n_spots; i = end) {
        struct tern_spot spot = report->spots[i];

        for (end = i + 1; end < report->n_spots; end++) {
            const struct tern_spot *next = &report->spots[end];

            if (strcmp(spot.function, next->function) != 0 ||
                !share_source(spot.where, next->where))
                break;
            spot.ns += next->ns;
            spot.library_ns += next->library_ns;
            if (next->line_ns > spot.line_ns) {
                spot.line_ns = next->line_ns;
                memcpy(spot.where, next->where, sizeof spot.where);
            }
        }
        report->spots[kept++] = spot;
    }
    report->n_spots = kept;
}

/* Merges spots of one line; these are neighbours. */
static void merge_lines(struct tern_report *report)
{
    uint32_t kept = 0;

    for (uint32_t i = 0; i < report->n_spots; i++) {
        struct tern_spot *last = kept ? &report->spots[kept - 1] : NULL;

        if (last && by_function_and_line(last, &report->spots[i]) == 0) {
            last->ns += report->spots[i].ns;
            last->line_ns += report->spots[i].ns;
            last->library_ns += report->spots[i].library_ns;
        } else {
            report->spots[kept++] = report->spots[i];
        }
    }
    report->n_spots = kept;
}

/* Adds the samples that are in a function to the PE's time in it. */
static void find_most_busy(struct tern_report *report, const struct tern_address *addresses,
                           const struct tally *tallies, uint32_t n, uint64_t *pe_ns)
{
    for (uint32_t s = 0; s < report->n_spots && s < TERN_REPORT_SPOTS; s++) {
        struct tern_spot *spot = &report->spots[s], named;

        memset(pe_ns, 0, report->n_read * sizeof *pe_ns);
        for (uint32_t i = 0; i < n; i++) {
            name_spot(&named, &addresses[i]);
            if (strcmp(named.function, spot->function) == 0 &&
                share_source(named.where, spot->where))
                pe_ns[tallies[i].pe] += tallies[i].samples * TERN_PROFILE_SAMPLE_NS;
        }
        for (uint32_t i = 0; i < report->n_read; i++)
            if (pe_ns[i] > spot->most_ns) {
                spot->most_ns = pe_ns[i];
                spot->most_pe = report->pes[i].head.pe;
            }
    }
}

static void make_spots(struct tern_report *report, const struct tern_address *addresses,
                       const struct tally *tallies, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        struct tern_spot *spot = &report->spots[report->n_spots++];

        name_spot(spot, &addresses[i]);
        spot->ns = spot->line_ns = tallies[i].samples * TERN_PROFILE_SAMPLE_NS;
        spot->library_ns = tallies[i].in_library ? spot->ns : 0;
        report->sampled_ns += spot->ns;
    }
    qsort(report->spots, report->n_spots, sizeof *report->spots, by_function_and_line);
    merge_lines(report);
    merge_functions(report);
    qsort(report->spots, report->n_spots, sizeof *report->spots, by_time);
}

int tern_report_find_spots(struct tern_report *report)
{
    uint32_t n = list_samples(report, NULL, NULL);
    struct tern_address *addresses = calloc(n + 1, sizeof *addresses);
    struct tally *tallies = calloc(n + 1, sizeof *tallies);
    uint64_t *pe_ns = calloc(report->n_read + 1, sizeof *pe_ns);
    int r = -ENOMEM;

    report->spots = calloc(n + 1, sizeof *report->spots);
    if (addresses && tallies && pe_ns && report->spots) {
        list_samples(report, addresses, tallies);
        r = tern_addresses_find(addresses, n);
        make_spots(report, addresses, tallies, n);
        find_most_busy(report, addresses, tallies, n, pe_ns);
    }
    free(addresses);
    free(tallies);
    free(pe_ns);
    return r;
}

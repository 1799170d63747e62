/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the source lines of call sites. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tools/report/addresses.h"
#include "tools/report/job.h"

/* The compiler may have made several call sites of one call in the source. */
static void merge_same_lines(struct tern_report *report)
{
    for (uint32_t i = 0; i < report->n_places; i++)
        for (uint32_t j = i + 1; j < report->n_places; j++) {
            struct tern_place *place = &report->places[i], *same = &report->places[j];

            if (same->calls == 0 || strcmp(place->where, same->where) != 0 ||
                strcmp(place->routine, same->routine) != 0)
                continue;
            place->calls += same->calls;
            place->ns += same->ns;
            place->bytes += same->bytes;
            if (same->longest_ns > place->longest_ns)
                place->longest_ns = same->longest_ns;
            same->calls = same->ns = same->bytes = 0;
        }
}

int tern_report_find_lines(struct tern_report *report)
{
    struct tern_address *addresses = calloc(report->n_places + 1, sizeof *addresses);
    int r;

    if (!addresses)
        return -ENOMEM;
    for (uint32_t i = 0; i < report->n_places; i++) {
        addresses[i].file = report->places[i].module;
        addresses[i].address = report->places[i].address - 1; /* the call: it returns behind it */
    }
    r = tern_addresses_find(addresses, report->n_places);
    for (uint32_t i = 0; i < report->n_places; i++) {
        struct tern_place *place = &report->places[i];

        addresses[i].address = place->address;
        if (addresses[i].line[0])
            snprintf(place->where, sizeof place->where, "%s", addresses[i].line);
        else
            tern_addresses_format(&addresses[i], place->where, sizeof place->where);
    }
    free(addresses);
    merge_same_lines(report);
    return r;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* The summary in plain text. */
#include <stdbool.h>

#include "tools/report/job.h"

#define MOST_PLACES 12
#define MOST_PAIRS 8
#define MOST_PES 32

const char *const tern_activity_names[] = {"transfers", "collectives", "waiting", "computing"};

static double percent(double part, double whole)
{
    return whole > 0 ? 100 * part / whole : 0;
}

static void print_pe(const struct tern_pe_profile *pe, FILE *out)
{
    double all = (double)tern_report_time(pe);

    fprintf(out, "%6u %9.3f", pe->head.pe, all / 1e9);
    fprintf(out, " %10.1f %%", percent((double)tern_report_computed(pe), all));
    for (int a = 0; a < TERN_N_ACTIVITIES; a++)
        fprintf(out, " %10.1f %%", percent((double)pe->head.spent[a], all));
    fprintf(out, " %10llu\n", (unsigned long long)pe->head.calls);
}

static void print_pes(const struct tern_report *report, FILE *out)
{
    double computed = 0, most = 0;

    fprintf(out,
            "    PE   seconds    computing    transfers  collectives      waiting      calls\n");
    for (uint32_t i = 0; i < report->n_read; i++) {
        double mine = (double)tern_report_computed(&report->pes[i]);

        computed += mine;
        most = mine > most ? mine : most;
        if (i < MOST_PES)
            print_pe(&report->pes[i], out);
    }
    if (report->n_read > MOST_PES)
        fprintf(out, "   ... and %u more\n", report->n_read - MOST_PES);
    if (computed > 0)
        fprintf(out, "Load balance: the busiest PE computed %.2f times as long as the average.\n",
                most * report->n_read / computed);
}

static void print_places(const struct tern_report *report, FILE *out)
{
    fprintf(out, "\nCalls that took most time, on all PEs\n"
                 "   seconds      calls    average    longest       bytes  call\n");
    for (uint32_t i = 0; i < report->n_places && i < MOST_PLACES && report->places[i].calls > 0;
         i++) {
        const struct tern_place *place = &report->places[i];

        fprintf(out, "%10.4f %10llu %7.1f us %7.0f us %11llu  %s at %s\n", (double)place->ns / 1e9,
                (unsigned long long)place->calls, (double)place->ns / (double)place->calls / 1e3,
                (double)place->longest_ns / 1e3, (unsigned long long)place->bytes, place->routine,
                place->where);
    }
}

/* The largest of values[i * n_pes + j] below a limit; its place, or -1. */
static int64_t largest(const double *values, size_t n, double below, int64_t after)
{
    int64_t best = -1;

    for (size_t i = 0; i < n; i++) {
        bool is_next = values[i] < below || (values[i] == below && (int64_t)i > after);

        if (values[i] > 0 && is_next && (best < 0 || values[i] > values[best]))
            best = (int64_t)i;
    }
    return best;
}

static void print_waits(const struct tern_report *report, FILE *out)
{
    size_t n = (size_t)report->n_pes * report->n_pes;
    int64_t pair = largest(report->waited, n, 1e300, -1);

    if (pair < 0)
        return;
    fprintf(out, "\nWho waited for whom\n");
    for (int i = 0; i < MOST_PAIRS && pair >= 0; i++) {
        fprintf(out, "%10.4f s  PE %lld for PE %lld\n", report->waited[pair] / 1e9,
                (long long)(pair / report->n_pes), (long long)(pair % report->n_pes));
        pair = largest(report->waited, n, report->waited[pair], pair);
    }
}

static void print_pairs(const struct tern_report *report, FILE *out)
{
    struct {
        double bytes;
        uint32_t from, to;
        uint64_t operations;
    } best[MOST_PAIRS] = {{0, 0, 0, 0}};

    for (uint32_t i = 0; i < report->n_read; i++)
        for (uint32_t j = 0; j < report->n_pes; j++) {
            const struct tern_profile_peer *peer = &report->pes[i].peers[j];
            double bytes =
                (double)peer->put_bytes + (double)peer->get_bytes + 8 * (double)peer->atomics;
            int at = MOST_PAIRS;

            while (at > 0 && bytes > best[at - 1].bytes) {
                at--;
                if (at + 1 < MOST_PAIRS)
                    best[at + 1] = best[at];
            }
            if (at < MOST_PAIRS) {
                best[at].bytes = bytes;
                best[at].from = report->pes[i].head.pe;
                best[at].to = j;
                best[at].operations = peer->operations;
            }
        }
    if (best[0].bytes > 0)
        fprintf(out, "\nTransfers between PEs (the caller first)\n");
    for (int i = 0; i < MOST_PAIRS && best[i].bytes > 0; i++)
        fprintf(out, "%12.0f bytes, %llu operations  PE %u with PE %u\n", best[i].bytes,
                (unsigned long long)best[i].operations, best[i].from, best[i].to);
}

void tern_report_print(const struct tern_report *report, FILE *out)
{
    fprintf(out, "Profile of %u PE%s", report->n_pes, report->n_pes == 1 ? "\n" : "s\n");
    if (report->n_read < report->n_pes)
        fprintf(out, "%u of them left none: they did not end as they should, or elsewhere\n",
                report->n_pes - report->n_read);
    print_pes(report, out);
    print_places(report, out);
    print_waits(report, out);
    print_pairs(report, out);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* The summary in plain text. */
#include <string.h>

#include "tools/report/job.h"

#define MOST_PLACES 12
#define MOST_SPOTS 8
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
    double share, imbalance = tern_report_imbalance(report, &share);
    uint64_t calls, ns;

    fprintf(out,
            "    PE   seconds    computing    transfers  collectives      waiting      calls\n");
    for (uint32_t i = 0; i < report->n_read && i < MOST_PES; i++)
        print_pe(&report->pes[i], out);
    if (report->n_read > MOST_PES)
        fprintf(out, "   ... and %u more\n", report->n_read - MOST_PES);
    if (imbalance > 0)
        fprintf(out, "Load balance: the busiest PE computed %.2f times as long as the average.\n",
                imbalance);
    else
        fprintf(out, "Load balance: all computed for %.1f %% of the time, too little to matter.\n",
                100 * share);
    tern_report_beside(report, &calls, &ns);
    if (calls > 0)
        fprintf(out,
                "Times are those of the threads that called shmem_init. Others made %llu of the "
                "calls (%.3f s).\n",
                (unsigned long long)calls, (double)ns / 1e9);
}

static void print_places(const struct tern_report *report, FILE *out)
{
    uint64_t other = tern_report_other_calls(report);

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
    if (other > 0)
        fprintf(out, "... and %llu calls from places beyond the first %d of each PE\n",
                (unsigned long long)other, TERN_PROFILE_SITES);
}

static void print_estimates(const struct tern_report *report, FILE *out)
{
    uint64_t estimated = tern_report_estimated(report);

    if (estimated > 0)
        fprintf(out,
                "%llu calls came so fast that they were only counted: their times, places and PEs "
                "are\nestimates from samples of them.\n",
                (unsigned long long)estimated);
}

static void print_spots(const struct tern_report *report, FILE *out)
{
    if (report->sampled_ns == 0)
        return;
    fprintf(out, "\nWhere the program computes, by samples of processor time on all PEs\n"
                 "   seconds    share  most on  function\n");
    for (uint32_t i = 0; i < report->n_spots && i < MOST_SPOTS; i++) {
        const struct tern_spot *spot = &report->spots[i];

        fprintf(out, "%10.3f %6.1f %%  PE %-4u  %s, most at %s", (double)spot->ns / 1e9,
                percent((double)spot->ns, (double)report->sampled_ns), spot->most_pe,
                spot->function, spot->where);
        if (spot->library_ns > spot->ns / 10)
            fprintf(out, " (%.0f %% in libraries)",
                    percent((double)spot->library_ns, (double)spot->ns));
        fputc('\n', out);
    }
}

static void print_phases(const struct tern_report *report, FILE *out)
{
    struct tern_phase_sum sum;

    for (unsigned n = 0; tern_report_phase(report, n, &sum); n++) {
        double ns = (double)sum.all.ns, rest = ns;

        if (n == 0)
            fprintf(out, "\nPhases, on all PEs\n"
                         "   seconds  longest PE  computing  transfers collectives    waiting   "
                         "times  phase\n");
        for (int a = 0; a < TERN_N_ACTIVITIES; a++)
            rest -= (double)sum.all.spent[a];
        fprintf(out, "%10.3f %11.3f %8.1f %%", ns / 1e9, (double)sum.most_ns / 1e9,
                percent(rest > 0 ? rest : 0, ns));
        for (int a = 0; a < TERN_N_ACTIVITIES; a++)
            fprintf(out, " %8.1f %%", percent((double)sum.all.spent[a], ns));
        fprintf(out, " %7llu  %s\n", (unsigned long long)sum.all.times, sum.all.name);
    }
}

static void print_killed(const struct tern_report *report, FILE *out)
{
    char call[256];
    bool has_any = false;

    for (uint32_t i = 0; i < report->n_read; i++) {
        if (!report->pes[i].was_killed)
            continue;
        if (!has_any)
            fprintf(out, "\nWhen the job was ended, before PEs called shmem_finalize\n");
        has_any = true;
        tern_report_last_call(report, &report->pes[i], call, sizeof call);
        if (i < MOST_PES)
            fprintf(out, "%6u  %s\n", report->pes[i].head.pe, call);
    }
}

/* Breaks the text into lines, between words. */
static void print_wrapped(const char *text, FILE *out)
{
    int column = 2;

    fputs("- ", out);
    while (*text) {
        int n = (int)strcspn(text, " ");

        if (column + n > 92 && column > 2) {
            fputs("\n  ", out);
            column = 2;
        } else if (column > 2) {
            fputc(' ', out);
            column++;
        }
        column += fprintf(out, "%.*s", n, text);
        text += n + (text[n] == ' ');
    }
    fputc('\n', out);
}

static void print_advice(const struct tern_report *report, FILE *out)
{
    char text[TERN_REPORT_ADVICE];

    fprintf(out, "\nAdvice\n");
    for (unsigned i = 0; i < TERN_REPORT_MOST_ADVICE; i++) {
        if (tern_report_advise(report, i, text))
            print_wrapped(text, out);
        else if (i == 0)
            fprintf(out, "- No rule of the tool applies: no single cause stands out.\n");
        else
            break;
    }
}

struct pair {
    double value;
    const struct tern_pe_profile *pe;
    uint32_t peer;
};

/* The pairs of PEs with the largest values above 0, the first one first; how many there are. */
static int find_pairs(const struct tern_report *report, enum tern_matrix which,
                      struct pair best[MOST_PAIRS])
{
    int n = 0;

    for (uint32_t i = 0; i < report->n_read; i++)
        for (uint32_t j = 0; j < report->n_pes; j++) {
            double value = tern_report_cell(report, which, &report->pes[i], j);
            int at = n;

            while (at > 0 && value > best[at - 1].value) {
                if (at < MOST_PAIRS)
                    best[at] = best[at - 1];
                at--;
            }
            if (value <= 0 || at == MOST_PAIRS)
                continue;
            best[at] = (struct pair){value, &report->pes[i], j};
            n += n < MOST_PAIRS;
        }
    return n;
}

static void print_roots(const struct tern_report *report, FILE *out)
{
    double all;
    uint32_t root = tern_report_root(report, &all);

    if (all > 0)
        fprintf(out,
                "PE %u is at the root of %.4f s of %.4f s: others waited for it, or for PEs that "
                "waited\nfor it themselves.\n",
                root, report->rooted[root] / 1e9, all / 1e9);
}

static void print_waits(const struct tern_report *report, FILE *out)
{
    struct pair best[MOST_PAIRS];
    int n = find_pairs(report, TERN_WAITED, best);

    if (n > 0)
        fprintf(out, "\nWho waited for whom\n");
    for (int i = 0; i < n; i++)
        fprintf(out, "%10.4f s  PE %u for PE %u\n", best[i].value / 1e9, best[i].pe->head.pe,
                best[i].peer);
    print_roots(report, out);
}

static void print_pairs(const struct tern_report *report, FILE *out)
{
    struct pair best[MOST_PAIRS];
    int n = find_pairs(report, TERN_BYTES, best);

    if (n > 0)
        fprintf(out, "\nTransfers between PEs (the caller first)\n");
    for (int i = 0; i < n; i++)
        fprintf(out, "%12.0f bytes, %.0f operations  PE %u with PE %u\n", best[i].value,
                tern_report_cell(report, TERN_OPERATIONS, best[i].pe, best[i].peer),
                best[i].pe->head.pe, best[i].peer);
}

void tern_report_print(const struct tern_report *report, FILE *out)
{
    char command[TERN_REPORT_COMMAND], date[TERN_REPORT_DATE];

    tern_report_command(report, command);
    tern_report_date(report, date);
    fprintf(out, "Profile of %s, %u PE%s, %s\n", command, report->n_pes,
            report->n_pes == 1 ? "" : "s", date);
    if (report->n_read < report->n_pes)
        fprintf(out,
                "%u of these are missing: they were killed, wrote their profile on another "
                "machine, or it is damaged\n",
                report->n_pes - report->n_read);
    print_pes(report, out);
    print_killed(report, out);
    print_advice(report, out);
    print_spots(report, out);
    print_phases(report, out);
    print_places(report, out);
    print_estimates(report, out);
    print_waits(report, out);
    print_pairs(report, out);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Rules that name the cause of lost time, in the order of docs/profile.md. */
#include <string.h>

#include "tools/report/job.h"

/* Each rule writes its text and returns true if it applies. */
typedef bool rule(const struct tern_report *report, char text[TERN_REPORT_ADVICE]);

static double all_time(const struct tern_report *report)
{
    double all = 0;

    for (uint32_t i = 0; i < report->n_read; i++)
        all += (double)tern_report_time(&report->pes[i]);
    return all > 0 ? all : 1;
}

static double spent(const struct tern_report *report, enum tern_activity activity)
{
    double ns = 0;

    for (uint32_t i = 0; i < report->n_read; i++)
        ns += (double)report->pes[i].head.spent[activity];
    return ns;
}

/*
 * A PE that waits in a call is ready to run as well, while it polls. So only time counts in which
 * the PE computed without using a core.
 */
static double computed_without_core(const struct tern_pe_profile *pe)
{
    double idle =
        (double)tern_report_computed(pe) - (double)(pe->head.samples_main * TERN_PROFILE_SAMPLE_NS);
    double ready = pe->head.ready_ns == UINT64_MAX ? 0 : (double)pe->head.ready_ns;

    if (!pe->head.samples_on || idle < 0)
        return 0;
    return idle < ready ? idle : ready;
}

double tern_report_without_core(const struct tern_report *report)
{
    double without = 0, computed = 0;

    for (uint32_t i = 0; i < report->n_read; i++) {
        without += computed_without_core(&report->pes[i]);
        computed += (double)tern_report_computed(&report->pes[i]);
    }
    return without < 0.05 * all_time(report) ? 0 : without / computed;
}

/* ---- the rules ---- */

void tern_report_last_call(const struct tern_report *report, const struct tern_pe_profile *pe,
                           char *text, size_t bytes)
{
    const struct tern_place *place;

    if (!pe->is_in_call) {
        snprintf(text, bytes, "computing");
        return;
    }
    place = &report->places[pe->places[pe->current_site]];
    snprintf(text, bytes, "in %.52s at %.120s for %.1f s", place->routine, place->where,
             (double)pe->current_ns / 1e9);
}

/* Of a job that was ended: a PE that others wait for in a call, while it is in none. */
static bool advise_missing(const struct tern_report *report, char text[TERN_REPORT_ADVICE])
{
    const struct tern_pe_profile *in_call = NULL, *missing = NULL;
    char call[256];

    for (uint32_t i = 0; i < report->n_read; i++) {
        const struct tern_pe_profile *pe = &report->pes[i];

        if (!pe->was_killed)
            continue;
        if (!pe->is_in_call)
            missing = pe;
        else if (!in_call || pe->current_ns > in_call->current_ns)
            in_call = pe;
    }
    if (!missing || !in_call || in_call->current_ns < 1000000000)
        return false;
    tern_report_last_call(report, in_call, call, sizeof call);
    snprintf(text, TERN_REPORT_ADVICE,
             "When the job was ended, PE %u was %s, and PE %u was in no call. Look at what PE %u "
             "computes instead.",
             in_call->head.pe, call, missing->head.pe, missing->head.pe);
    return true;
}

/* The machine with most PEs for each core. */
static void find_crowd(const struct tern_report *report, uint32_t *n_pes, uint32_t *cores)
{
    *n_pes = 0;
    *cores = 1;
    for (uint32_t i = 0; i < report->n_read; i++) {
        const struct tern_profile_head *head = &report->pes[i].head;
        uint32_t n = 0;

        for (uint32_t j = 0; j < report->n_read; j++)
            n += strcmp(report->pes[j].head.host, head->host) == 0;
        if (head->cores && (uint64_t)n * *cores > (uint64_t)*n_pes * head->cores) {
            *n_pes = n;
            *cores = head->cores;
        }
    }
}

/* PEs that use less than this part of their machine's cores leave the rest to other programs. */
#define OWN_SHARE 0.5

/* Whether the PEs themselves use the cores. */
static bool use_cores(const struct tern_report *report, uint32_t n_pes, uint32_t cores)
{
    double ran = 0;

    for (uint32_t i = 0; i < report->n_read; i++)
        ran += (double)report->pes[i].head.cpu_ns;
    return ran > OWN_SHARE * all_time(report) * cores / n_pes;
}

static bool advise_cores(const struct tern_report *report, char text[TERN_REPORT_ADVICE])
{
    double without = tern_report_without_core(report);
    uint32_t n_pes, cores;

    find_crowd(report, &n_pes, &cores);
    if (without < 0.1)
        return false;
    if (n_pes > cores && use_cores(report, n_pes, cores))
        snprintf(text, TERN_REPORT_ADVICE,
                 "%u PEs share %u core%s: they had no core for %.0f %% of the time in which they "
                 "computed, and others waited for them. Start at most %u PE%s on such a machine.",
                 n_pes, cores, cores == 1 ? "" : "s", 100 * without, cores, cores == 1 ? "" : "s");
    else
        snprintf(text, TERN_REPORT_ADVICE,
                 "PEs had no core for %.0f %% of the time in which they computed, and did not use "
                 "the machine's %u core%s themselves. Look for other programs, threads of this "
                 "one, and PEs that are bound to one core.",
                 100 * without, cores, cores == 1 ? "" : "s");
    return true;
}

static const struct tern_spot *main_spot(const struct tern_report *report, uint32_t pe)
{
    for (uint32_t i = 0; i < report->n_spots && i < TERN_REPORT_SPOTS; i++)
        if (report->spots[i].most_pe == pe)
            return &report->spots[i];
    return NULL;
}

static bool advise_balance(const struct tern_report *report, char text[TERN_REPORT_ADVICE])
{
    double share, imbalance = tern_report_imbalance(report, &share);
    double waits = spent(report, TERN_WAITING) + spent(report, TERN_COLLECTIVES);
    const struct tern_pe_profile *busiest = &report->pes[0];
    const struct tern_spot *spot;
    char where[420] = "";

    if (imbalance < 1.25 || share < 0.1 || waits / all_time(report) < 0.1)
        return false;
    for (uint32_t i = 1; i < report->n_read; i++)
        if (tern_report_computed(&report->pes[i]) > tern_report_computed(busiest))
            busiest = &report->pes[i];
    spot = main_spot(report, busiest->head.pe);
    if (spot)
        snprintf(where, sizeof where, ", most of it in %.100s (%.120s)", spot->function,
                 spot->where);
    snprintf(text, TERN_REPORT_ADVICE,
             "PE %u computes %.1f times as long as the average%s, and others wait for it. Divide "
             "the work more evenly.",
             busiest->head.pe, imbalance, where);
    return true;
}

static bool advise_root(const struct tern_report *report, char text[TERN_REPORT_ADVICE])
{
    double all, direct = 0;
    uint32_t root = tern_report_root(report, &all);

    for (uint32_t pe = 0; pe < report->n_pes; pe++)
        direct += report->waited[(size_t)pe * report->n_pes + root];
    if (all < 0.1 * all_time(report) || report->rooted[root] < 0.5 * all ||
        report->rooted[root] < 1.25 * direct)
        return false;
    snprintf(text, TERN_REPORT_ADVICE,
             "PE %u is at the root of %.2f s of %.2f s of waiting, %.2f s of it through PEs that "
             "waited for PE %u themselves. Shorten what PE %u does before the others can go on.",
             root, report->rooted[root] / 1e9, all / 1e9, (report->rooted[root] - direct) / 1e9,
             root, root);
    return true;
}

/* The call with most time among those whose routine's name has one of these parts. */
static const struct tern_place *find_place(const struct tern_report *report,
                                           const char *const parts[])
{
    for (uint32_t i = 0; i < report->n_places; i++)
        for (const char *const *part = parts; *part; part++)
            if (report->places[i].calls > 0 && strstr(report->places[i].routine, *part))
                return &report->places[i];
    return NULL;
}

static bool advise_small_transfers(const struct tern_report *report, char text[TERN_REPORT_ADVICE])
{
    static const char *const parts[] = {"put", "get", "_p", "_g", "_i", NULL};
    const struct tern_place *place = find_place(report, parts);
    double operations = 0, bytes = 0;

    for (uint32_t i = 0; i < report->n_read; i++)
        for (uint32_t j = 0; j < report->n_pes; j++) {
            const struct tern_profile_peer *peer = &report->pes[i].peers[j];

            operations += (double)(peer->operations - peer->atomics);
            bytes += (double)(peer->put_bytes + peer->get_bytes);
        }
    if (!place || operations < 10000 || bytes > 256 * operations ||
        spent(report, TERN_TRANSFERS) < 0.2 * all_time(report))
        return false;
    snprintf(text, TERN_REPORT_ADVICE,
             "Transfers take %.0f %% of the time and move %.0f bytes each on average, most of them "
             "by %.52s at %.120s. Collect data for a PE and move it by one call.",
             100 * spent(report, TERN_TRANSFERS) / all_time(report), bytes / operations,
             place->routine, place->where);
    return true;
}

static bool advise_gets(const struct tern_report *report, char text[TERN_REPORT_ADVICE])
{
    double all = all_time(report);

    for (uint32_t i = 0; i < report->n_places; i++) {
        const struct tern_place *place = &report->places[i];

        if (!strstr(place->routine, "get") || strstr(place->routine, "nbi") ||
            (double)place->ns < 0.1 * all)
            continue;
        snprintf(text, TERN_REPORT_ADVICE,
                 "%.52s at %.120s takes %.0f %% of the time, since each call waits for its data. "
                 "Start several by the nonblocking form (..._nbi), compute, then call shmem_quiet.",
                 place->routine, place->where, 100 * (double)place->ns / all);
        return true;
    }
    return false;
}

static bool advise_atomics(const struct tern_report *report, char text[TERN_REPORT_ADVICE])
{
    uint64_t all = 0, most = 0;
    uint32_t target = 0;

    for (uint32_t j = 0; j < report->n_pes; j++) {
        uint64_t n = 0;

        for (uint32_t i = 0; i < report->n_read; i++)
            n += report->pes[i].peers[j].atomics;
        all += n;
        if (n > most) {
            most = n;
            target = j;
        }
    }
    if (report->n_pes < 3 || all < 10000 || (double)most < 0.6 * (double)all ||
        spent(report, TERN_TRANSFERS) < 0.1 * all_time(report))
        return false;
    snprintf(text, TERN_REPORT_ADVICE,
             "PE %u receives %.0f %% of the atomic operations of all PEs. Take several numbers by "
             "one operation, or give each PE a counter of its own.",
             target, 100 * (double)most / (double)all);
    return true;
}

static bool advise_synchronization(const struct tern_report *report, char text[TERN_REPORT_ADVICE])
{
    static const char *const parts[] = {"barrier", "sync", NULL};
    const struct tern_place *place = find_place(report, parts);

    if (!place || place->calls < 1000 || place->ns / place->calls > 100000 ||
        (double)place->ns < 0.2 * all_time(report))
        return false;
    snprintf(text, TERN_REPORT_ADVICE,
             "%.52s at %.120s was called %llu times and takes %.0f %% of the time, %.1f us a call. "
             "Synchronize less often, or only with the PEs concerned, by shmem_put_signal and "
             "shmem_signal_wait_until.",
             place->routine, place->where, (unsigned long long)place->calls,
             100 * (double)place->ns / all_time(report),
             (double)place->ns / (double)place->calls / 1e3);
    return true;
}

bool tern_report_advise(const struct tern_report *report, unsigned n, char text[TERN_REPORT_ADVICE])
{
    static rule *const rules[] = {advise_missing, advise_cores,           advise_balance,
                                  advise_root,    advise_small_transfers, advise_gets,
                                  advise_atomics, advise_synchronization};

    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++)
        if (rules[i](report, text) && n-- == 0)
            return true;
    return false;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the page: page.html with the data inserted as one JSON object. */
#include <string.h>

#include "page_frame.h"
#include "tools/report/job.h"
#include "tools/report/json.h"

/* More rows and columns than this would be too small to see. */
#define MOST_CELLS 128

static void write_pe(const struct tern_report *report, const struct tern_pe_profile *pe, FILE *out)
{
    char last[256];
    const struct tern_profile_head *head = &pe->head;

    fprintf(out, "{\"pe\":%u,\"host\":", head->pe);
    tern_json_string(out, head->host);
    fprintf(out, ",\"start\":%lld,\"span\":%llu,\"time\":%llu,\"spent\":[", (long long)pe->start,
            (unsigned long long)tern_report_span(pe), (unsigned long long)tern_report_time(pe));
    for (int a = 0; a < TERN_N_ACTIVITIES; a++)
        fprintf(out, "%llu,", (unsigned long long)head->spent[a]);
    fprintf(out, "%llu],\"bucket\":%llu,\"buckets\":[",
            (unsigned long long)tern_report_computed(pe), (unsigned long long)head->bucket_ns);
    for (uint64_t i = 0; i < TERN_PROFILE_BUCKETS && i * head->bucket_ns < tern_report_span(pe);
         i++)
        for (int a = 0; a < TERN_N_SPENT; a++)
            fprintf(out, "%s%llu%s",
                    a   ? ","
                    : i ? ",["
                        : "[",
                    (unsigned long long)head->buckets[i][a], a + 1 < TERN_N_SPENT ? "" : "]");
    fprintf(out, "],\"last\":");
    tern_report_last_call(report, pe, last, sizeof last);
    tern_json_string(out, pe->was_killed ? last : "");
    fprintf(out, "}");
}

static void write_advice(const struct tern_report *report, FILE *out)
{
    char text[TERN_REPORT_ADVICE];

    for (unsigned i = 0; i < TERN_REPORT_MOST_ADVICE && tern_report_advise(report, i, text); i++) {
        fprintf(out, "%s", i ? "," : "");
        tern_json_string(out, text);
    }
}

static void write_spots(const struct tern_report *report, FILE *out)
{
    for (uint32_t i = 0; i < report->n_spots && i < TERN_REPORT_SPOTS; i++) {
        const struct tern_spot *spot = &report->spots[i];

        fprintf(out, "%s\n{\"function\":", i ? "," : "");
        tern_json_string(out, spot->function);
        fprintf(out, ",\"where\":");
        tern_json_string(out, spot->where);
        fprintf(out, ",\"ns\":%llu,\"library\":%llu,\"pe\":%u}", (unsigned long long)spot->ns,
                (unsigned long long)spot->library_ns, spot->most_pe);
    }
}

static void write_phases(const struct tern_report *report, FILE *out)
{
    struct tern_phase_sum sum;

    for (unsigned n = 0; tern_report_phase(report, n, &sum); n++) {
        fprintf(out, "%s\n{\"name\":", n ? "," : "");
        tern_json_string(out, sum.all.name);
        fprintf(out, ",\"ns\":%llu,\"most\":%llu,\"calls\":%llu,\"times\":%llu,\"spent\":[",
                (unsigned long long)sum.all.ns, (unsigned long long)sum.most_ns,
                (unsigned long long)sum.all.calls, (unsigned long long)sum.all.times);
        for (int a = 0; a < TERN_N_ACTIVITIES; a++)
            fprintf(out, "%s%llu", a ? "," : "", (unsigned long long)sum.all.spent[a]);
        fprintf(out, "]}");
    }
}

static void write_sizes(const struct tern_report *report, FILE *out)
{
    for (int t = 0; t < TERN_N_TRANSFERS; t++) {
        fprintf(out, "%s[", t ? "," : "");
        for (int s = 0; s < TERN_PROFILE_SIZES; s++) {
            uint64_t n = 0;

            for (uint32_t i = 0; i < report->n_read; i++)
                n += report->pes[i].head.sizes[t][s];
            fprintf(out, "%s%llu", s ? "," : "", (unsigned long long)n);
        }
        fprintf(out, "]");
    }
}

static void write_places(const struct tern_report *report, FILE *out)
{
    for (uint32_t i = 0; i < report->n_places && i < 200 && report->places[i].calls > 0; i++) {
        const struct tern_place *place = &report->places[i];

        fprintf(out, "%s\n{\"routine\":", i ? "," : "");
        tern_json_string(out, place->routine);
        fprintf(out, ",\"where\":");
        tern_json_string(out, place->where);
        fprintf(out, ",\"calls\":%llu,\"ns\":%llu,\"longest\":%llu,\"bytes\":%llu}",
                (unsigned long long)place->calls, (unsigned long long)place->ns,
                (unsigned long long)place->longest_ns, (unsigned long long)place->bytes);
    }
}

static void write_head(const struct tern_report *report, FILE *out)
{
    double share, imbalance = tern_report_imbalance(report, &share);
    char command[TERN_REPORT_COMMAND], date[TERN_REPORT_DATE];
    uint64_t calls, ns;
    double rooted;
    uint32_t root;

    tern_report_command(report, command);
    tern_report_date(report, date);
    tern_report_beside(report, &calls, &ns);
    fprintf(out, "\"program\":");
    tern_json_string(out, command);
    fprintf(out, ",\"date\":");
    tern_json_string(out, date);
    root = tern_report_root(report, &rooted);
    if (rooted > 0)
        fprintf(out, ",\"root\":{\"pe\":%u,\"ns\":%.0f,\"all\":%.0f}", root, report->rooted[root],
                rooted);
    fprintf(out, ",\"sampled\":%llu,\"estimated\":%llu", (unsigned long long)report->sampled_ns,
            (unsigned long long)tern_report_estimated(report));
    fprintf(out, ",\"imbalance\":%.2f,\"beside\":{\"calls\":%llu,\"ns\":%llu}", imbalance,
            (unsigned long long)calls, (unsigned long long)ns);
}

/* Neighbouring PEs share a cell where there are many. */
static void write_matrix(const struct tern_report *report, enum tern_matrix which, uint32_t n,
                         FILE *out)
{
    static double cells[MOST_CELLS][MOST_CELLS];

    memset(cells, 0, sizeof cells);
    for (uint32_t i = 0; i < report->n_read; i++)
        for (uint32_t j = 0; j < report->n_pes; j++)
            cells[(uint64_t)report->pes[i].head.pe * n / report->n_pes]
                 [(uint64_t)j * n / report->n_pes] +=
                tern_report_cell(report, which, &report->pes[i], j);
    for (uint32_t i = 0; i < n; i++) {
        fprintf(out, "%s[", i ? "," : "");
        for (uint32_t j = 0; j < n; j++)
            fprintf(out, "%s%.0f", j ? "," : "", cells[i][j]);
        fprintf(out, "]");
    }
}

void tern_report_write_page(const struct tern_report *report, FILE *out)
{
    const char *place = strstr(page_frame, "@DATA@");
    uint32_t n = report->n_pes < MOST_CELLS ? report->n_pes : MOST_CELLS;

    fwrite(page_frame, 1, (size_t)(place - page_frame), out);
    fprintf(out, "{\"n\":%u,\"cells\":%u,\"other\":%llu,\"sites\":%d,", report->n_pes, n,
            (unsigned long long)tern_report_other_calls(report), TERN_PROFILE_SITES);
    write_head(report, out);
    fprintf(out, ",\"pes\":[");
    for (uint32_t i = 0; i < report->n_read; i++) {
        fprintf(out, "%s\n", i ? "," : "");
        write_pe(report, &report->pes[i], out);
    }
    fprintf(out, "],\"advice\":[");
    write_advice(report, out);
    fprintf(out, "],\"spots\":[");
    write_spots(report, out);
    fprintf(out, "],\"phases\":[");
    write_phases(report, out);
    fprintf(out, "],\"sizes\":[");
    write_sizes(report, out);
    fprintf(out, "],\"places\":[");
    write_places(report, out);
    fprintf(out, "],\"matrices\":[");
    for (int m = 0; m < TERN_N_MATRICES; m++) {
        fprintf(out, "%s[", m ? ",\n" : "\n");
        write_matrix(report, (enum tern_matrix)m, n, out);
        fprintf(out, "]");
    }
    fprintf(out, "]}");
    fputs(place + strlen("@DATA@"), out);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* The trace for Perfetto and Chrome's about:tracing: a process for each PE, with its threads. */
#include <stdbool.h>

#include "tools/report/job.h"
#include "tools/report/json.h"

static void write_event(const struct tern_report *report, const struct tern_pe_profile *pe,
                        const struct tern_profile_event *event, FILE *out)
{
    const struct tern_place *place = &report->places[pe->places[event->site]];
    int64_t at = pe->start + (int64_t)(event->began - pe->head.began);

    fprintf(out, ",\n{\"ph\":\"X\",\"pid\":%u,\"tid\":%u,\"ts\":%.3f,\"dur\":%.3f,\"cat\":\"%s\"",
            pe->head.pe, event->thread, (double)at / 1e3, (double)event->ns / 1e3,
            tern_activity_names[pe->sites[event->site].activity]);
    fprintf(out, ",\"name\":");
    tern_json_string(out, place->routine);
    fprintf(out, ",\"args\":{\"where\":");
    tern_json_string(out, place->where);
    if (event->bytes)
        fprintf(out, ",\"bytes\":%llu", (unsigned long long)event->bytes);
    if (event->peer >= 0)
        fprintf(out, ",\"PE\":%d", event->peer);
    fprintf(out, "}}");
}

/* The put of an arrow is mostly too short to be among the longest calls. */
static bool is_written(const struct tern_pe_profile *pe, const struct tern_profile_put *put,
                       uint64_t shortest)
{
    if (put->ns < shortest)
        return false;
    for (uint32_t i = 0; i < pe->head.n_events; i++)
        if (pe->events[i].began == put->began && pe->events[i].thread == put->thread)
            return true;
    return false;
}

/* The end of an arrow lies in the slice of its call: where a put begins, or a wait ends. */
static void write_arrow_end(const struct tern_pe_profile *pe, unsigned thread, uint64_t time,
                            uint32_t id, bool is_wait, FILE *out)
{
    int64_t at = pe->start + (int64_t)(time - pe->head.began);

    fprintf(out,
            ",\n{\"ph\":\"%s\",\"pid\":%u,\"tid\":%u,\"ts\":%.3f,\"id\":%u,"
            "\"cat\":\"wait\",\"name\":\"put to wait\"%s}",
            is_wait ? "f" : "s", pe->head.pe, thread, (double)at / 1e3, id,
            is_wait ? ",\"bp\":\"e\"" : "");
}

/* Arrows from updates to the waits that they ended. */
static void write_arrows(const struct tern_report *report, uint64_t shortest, FILE *out)
{
    for (uint32_t i = 0; i < report->n_arrows; i++) {
        const struct tern_arrow *arrow = &report->arrows[i];
        const struct tern_pe_profile *from = &report->pes[arrow->from];
        const struct tern_profile_put *put = arrow->put;
        const struct tern_profile_event *wait = arrow->wait;

        if (wait->ns < shortest)
            continue;
        if (!is_written(from, put, shortest))
            write_event(report, from,
                        &(struct tern_profile_event){.began = put->began,
                                                     .ns = put->ns,
                                                     .thread = put->thread,
                                                     .site = put->site,
                                                     .peer = put->pe},
                        out);
        write_arrow_end(from, put->thread, put->began, i + 1, false, out);
        write_arrow_end(&report->pes[arrow->to], wait->thread,
                        wait->began + (wait->ns ? wait->ns - 1 : 0), i + 1, true, out);
    }
}

/* Phases are a track of their own, above those of the threads. */
#define PHASES_TRACK 0

static void write_phases(const struct tern_pe_profile *pe, FILE *out)
{
    if (pe->head.n_spans > 0)
        fprintf(out,
                ",\n{\"ph\":\"M\",\"pid\":%u,\"tid\":%d,\"name\":\"thread_name\","
                "\"args\":{\"name\":\"phases\"}}",
                pe->head.pe, PHASES_TRACK);
    for (uint32_t i = 0; i < pe->head.n_spans; i++) {
        const struct tern_profile_span *span = &pe->spans[i];
        uint64_t end = span->ended ? span->ended : pe->head.ended;

        if (span->phase >= pe->head.n_phases || end < span->began)
            continue;
        fprintf(out,
                ",\n{\"ph\":\"X\",\"pid\":%u,\"tid\":%d,\"ts\":%.3f,\"dur\":%.3f,"
                "\"cat\":\"phase\",\"name\":",
                pe->head.pe, PHASES_TRACK,
                (double)(pe->start + (int64_t)(span->began - pe->head.began)) / 1e3,
                (double)(end - span->began) / 1e3);
        tern_json_string(out, pe->phases[span->phase].name);
        fprintf(out, "}");
    }
}

/* More events than browsers can show are cut off: only the longest are written. */
#define MOST_EVENTS 200000

static uint64_t shortest_event(const struct tern_report *report)
{
    uint64_t shortest = 0, n;

    for (;;) {
        n = 0;
        for (uint32_t i = 0; i < report->n_read; i++)
            for (uint32_t j = 0; j < report->pes[i].head.n_events; j++)
                n += report->pes[i].events[j].ns >= shortest;
        if (n <= MOST_EVENTS)
            return shortest;
        shortest = shortest ? 2 * shortest : 256;
    }
}

static void write_thread_name(const struct tern_pe_profile *pe, unsigned thread, FILE *out)
{
    fprintf(out,
            ",\n{\"ph\":\"M\",\"pid\":%u,\"tid\":%u,\"name\":\"thread_name\",\"args\":{\"name\":",
            pe->head.pe, thread);
    if (thread <= TERN_PROFILE_THREADS)
        fprintf(out, "\"thread %u%s\"}}", thread,
                thread == pe->head.main_thread ? ", of shmem_init" : "");
    else
        fprintf(out, "\"further threads\"}}");
}

/* Names the threads of a PE that have events in the trace. */
static void write_thread_names(const struct tern_pe_profile *pe, uint64_t shortest, FILE *out)
{
    bool named[UINT16_MAX + 1] = {false};

    for (uint32_t i = 0; i < pe->head.n_events; i++) {
        unsigned thread = pe->events[i].thread;

        if (pe->events[i].ns < shortest || named[thread])
            continue;
        named[thread] = true;
        write_thread_name(pe, thread, out);
    }
}

void tern_report_write_trace(const struct tern_report *report, FILE *out)
{
    uint64_t shortest = shortest_event(report);

    fprintf(out, "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[");
    for (uint32_t i = 0; i < report->n_read; i++) {
        const struct tern_pe_profile *pe = &report->pes[i];

        fprintf(out,
                "%s\n{\"ph\":\"M\",\"pid\":%u,\"name\":\"process_name\","
                "\"args\":{\"name\":\"PE %u\"}}",
                i ? "," : "", pe->head.pe, pe->head.pe);
        write_phases(pe, out);
        write_thread_names(pe, shortest, out);
        for (uint32_t j = 0; j < pe->head.n_events; j++)
            if (pe->events[j].ns >= shortest)
                write_event(report, pe, &pe->events[j], out);
    }
    write_arrows(report, shortest, out);
    fprintf(out, "\n]}\n");
}

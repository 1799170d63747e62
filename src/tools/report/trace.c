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
        write_thread_names(pe, shortest, out);
        for (uint32_t j = 0; j < pe->head.n_events; j++)
            if (pe->events[j].ns >= shortest)
                write_event(report, pe, &pe->events[j], out);
    }
    fprintf(out, "\n]}\n");
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Computes for which PEs each PE waited, and how long. */
#include <errno.h>
#include <stdlib.h>

#include "tools/report/job.h"

/* A meeting as one PE saw it. */
struct seat {
    uint64_t team, number, members;
    uint32_t pe;
    int64_t came, left;
};

static int by_meeting(const void *a, const void *b)
{
    const struct seat *one = a, *other = b;

    if (one->team != other->team)
        return one->team < other->team ? -1 : 1;
    return (one->number > other->number) - (one->number < other->number);
}

/* All members of a meeting wait for the one that came last. */
static void blame_last(struct tern_report *report, const struct seat *seats, size_t n,
                       double weight)
{
    const struct seat *last = seats;

    for (size_t i = 1; i < n; i++)
        if (seats[i].came > last->came)
            last = &seats[i];
    for (size_t i = 0; i < n; i++) {
        int64_t until = seats[i].left < last->came ? seats[i].left : last->came;

        if (until > seats[i].came)
            report->waited[(size_t)seats[i].pe * report->n_pes + last->pe] +=
                weight * (double)(until - seats[i].came);
    }
}

static int find_meetings(struct tern_report *report)
{
    size_t n = 0, most = 0;
    uint32_t shift = 0;
    struct seat *seats;

    for (uint32_t i = 0; i < report->n_read; i++) {
        most += report->pes[i].head.n_meetings;
        if (report->pes[i].head.meeting_shift > shift)
            shift = report->pes[i].head.meeting_shift;
    }
    seats = calloc(most + 1, sizeof *seats);
    if (!seats)
        return -ENOMEM;
    for (uint32_t i = 0; i < report->n_read; i++) {
        const struct tern_pe_profile *pe = &report->pes[i];

        for (uint32_t j = 0; j < pe->head.n_meetings; j++) {
            const struct tern_profile_meeting *m = &pe->meetings[j];
            int64_t shift_ns = pe->start - (int64_t)pe->head.began;

            if (m->number >> shift << shift == m->number)
                seats[n++] = (struct seat){m->team,
                                           m->number,
                                           m->members,
                                           pe->head.pe,
                                           (int64_t)m->came + shift_ns,
                                           (int64_t)m->left + shift_ns};
        }
    }
    qsort(seats, n, sizeof *seats, by_meeting);
    for (size_t i = 0, end; i < n; i = end) {
        for (end = i + 1; end < n && by_meeting(&seats[i], &seats[end]) == 0;)
            end++;
        /* If PEs left no profile, the last of the recorded members is taken for the last of all. */
        if (end - i == seats[i].members || report->n_read < report->n_pes)
            blame_last(report, &seats[i], end - i, (double)(UINT64_C(1) << shift));
    }
    free(seats);
    return 0;
}

static uint64_t updates_by(const struct tern_pe_profile *pe, uint64_t word, uint32_t target)
{
    for (uint32_t i = 0; i < pe->head.n_updates; i++)
        if (pe->updates[i].word == word && pe->updates[i].pe == (int64_t)target)
            return pe->updates[i].times;
    return 0;
}

/* The time waited for a word is shared out among those who updated it. */
static void blame_updaters(struct tern_report *report, uint32_t waiter,
                           const struct tern_profile_word *word)
{
    double all = 0;

    for (uint32_t i = 0; i < report->n_read; i++)
        all += (double)updates_by(&report->pes[i], word->word, waiter);
    for (uint32_t i = 0; all > 0 && i < report->n_read; i++)
        report->waited[(size_t)waiter * report->n_pes + report->pes[i].head.pe] +=
            (double)word->ns * (double)updates_by(&report->pes[i], word->word, waiter) / all;
}

int tern_report_find_waits(struct tern_report *report)
{
    report->waited = calloc((size_t)report->n_pes * report->n_pes, sizeof *report->waited);
    if (!report->waited)
        return -ENOMEM;
    for (uint32_t i = 0; i < report->n_read; i++)
        for (uint32_t j = 0; j < report->pes[i].head.n_waits; j++)
            blame_updaters(report, report->pes[i].head.pe, &report->pes[i].waits[j]);
    return find_meetings(report);
}

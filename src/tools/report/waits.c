/* SPDX-License-Identifier: BSD-3-Clause */
/* Computes for which PEs each PE waited and how long, and which PEs are at the root of waits. */
#include <errno.h>
#include <stdlib.h>

#include "tools/report/job.h"

/* A chain of waits is followed so far; longer ones are taken to end there. */
#define MOST_STEPS 32

/* A collective call as one PE saw it. */
struct attendance {
    uint64_t team, number, members;
    uint32_t pe;
    int64_t came, left;
};

/* A PE waited for another one. Times are on the report's clock. */
struct interval {
    int64_t from, to;
    uint32_t pe, for_pe;
    double weight; /* 1 / the share of such waits that was recorded */
};

struct intervals {
    struct interval *list;
    size_t n, room;
    size_t *first; /* of each PE, in the sorted list; n_pes + 1 entries */
};

static int add_interval(struct intervals *all, struct interval interval)
{
    struct interval *list;

    if (all->n == all->room) {
        all->room = all->room ? 2 * all->room : 1024;
        list = reallocarray(all->list, all->room, sizeof *list);
        if (!list)
            return -ENOMEM;
        all->list = list;
    }
    all->list[all->n++] = interval;
    return 0;
}

/* ---- collective calls ---- */

static int by_call(const void *a, const void *b)
{
    const struct attendance *one = a, *other = b;

    if (one->team != other->team)
        return one->team < other->team ? -1 : 1;
    return (one->number > other->number) - (one->number < other->number);
}

/* All members of a collective call wait for the one that came last. */
static int wait_for_last(struct tern_report *report, struct intervals *all,
                         const struct attendance *attendances, size_t n, double weight)
{
    const struct attendance *last = attendances;
    int r = 0;

    for (size_t i = 1; i < n; i++)
        if (attendances[i].came > last->came)
            last = &attendances[i];
    for (size_t i = 0; !r && i < n; i++) {
        const struct attendance *a = &attendances[i];
        int64_t until = a->left < last->came ? a->left : last->came;

        if (until <= a->came)
            continue;
        report->waited[(size_t)a->pe * report->n_pes + last->pe] +=
            weight * (double)(until - a->came);
        r = add_interval(all, (struct interval){a->came, until, a->pe, last->pe, weight});
    }
    return r;
}

static size_t list_attendances(const struct tern_report *report, uint32_t shift,
                               struct attendance *attendances)
{
    size_t n = 0;

    for (uint32_t i = 0; i < report->n_read; i++) {
        const struct tern_pe_profile *pe = &report->pes[i];
        int64_t offset = pe->start - (int64_t)pe->head.began;

        for (uint32_t j = 0; j < pe->head.n_meetings; j++) {
            const struct tern_profile_meeting *m = &pe->meetings[j];

            if (m->number >> shift << shift == m->number)
                attendances[n++] = (struct attendance){m->team,
                                                       m->number,
                                                       m->members,
                                                       pe->head.pe,
                                                       (int64_t)m->came + offset,
                                                       (int64_t)m->left + offset};
        }
    }
    return n;
}

/* If PEs left no profile, the last of the recorded members is taken for the last of all. */
static bool is_complete(const struct tern_report *report, const struct attendance *first, size_t n)
{
    return n == first->members || report->n_read < report->n_pes;
}

static int find_collective_waits(struct tern_report *report, struct intervals *all)
{
    struct attendance *attendances;
    uint32_t shift = 0;
    size_t n = 0;
    int r = 0;

    for (uint32_t i = 0; i < report->n_read; i++) {
        n += report->pes[i].head.n_meetings;
        if (report->pes[i].head.meeting_shift > shift)
            shift = report->pes[i].head.meeting_shift;
    }
    attendances = calloc(n + 1, sizeof *attendances);
    if (!attendances)
        return -ENOMEM;
    n = list_attendances(report, shift, attendances);
    qsort(attendances, n, sizeof *attendances, by_call);
    for (size_t i = 0, end; !r && i < n; i = end) {
        for (end = i + 1; end < n && by_call(&attendances[i], &attendances[end]) == 0;)
            end++;
        if (is_complete(report, &attendances[i], end - i))
            r = wait_for_last(report, all, &attendances[i], end - i,
                              (double)(UINT64_C(1) << shift));
    }
    free(attendances);
    return r;
}

/* ---- waits for variables ---- */

static uint64_t updates_by(const struct tern_pe_profile *pe, uint64_t word, uint32_t target)
{
    for (uint32_t i = 0; i < pe->head.n_updates; i++)
        if (pe->updates[i].word == word && pe->updates[i].pe == (int64_t)target)
            return pe->updates[i].times;
    return 0;
}

/* The time waited for a word is divided among the PEs that updated it. */
static void divide_wait(struct tern_report *report, uint32_t waiter,
                        const struct tern_profile_word *word)
{
    double all = 0;

    for (uint32_t i = 0; i < report->n_read; i++)
        all += (double)updates_by(&report->pes[i], word->word, waiter);
    for (uint32_t i = 0; all > 0 && i < report->n_read; i++)
        report->waited[(size_t)waiter * report->n_pes + report->pes[i].head.pe] +=
            (double)word->ns * (double)updates_by(&report->pes[i], word->word, waiter) / all;
}

/* ---- arrows: which update ended a wait ---- */

static int64_t on_report_clock(const struct tern_pe_profile *pe, uint64_t time)
{
    return pe->start + (int64_t)(time - pe->head.began);
}

/* An update of a word of a PE. */
struct update {
    uint64_t word;
    uint32_t target;
    int64_t at;
    uint32_t from; /* an index in the report's PEs */
    const struct tern_profile_put *put;
};

struct updates {
    struct update *list;
    size_t n;
};

static int by_word(const void *a, const void *b)
{
    const struct update *one = a, *other = b;

    if (one->word != other->word)
        return one->word < other->word ? -1 : 1;
    if (one->target != other->target)
        return one->target < other->target ? -1 : 1;
    return (one->at > other->at) - (one->at < other->at);
}

static int list_updates(const struct tern_report *report, struct updates *updates)
{
    size_t n = 0;

    for (uint32_t i = 0; i < report->n_read; i++)
        n += report->pes[i].head.n_puts;
    updates->list = calloc(n + 1, sizeof *updates->list);
    if (!updates->list)
        return -ENOMEM;
    for (uint32_t i = 0; i < report->n_read; i++)
        for (uint32_t j = 0; j < report->pes[i].head.n_puts; j++) {
            const struct tern_profile_put *put = &report->pes[i].puts[j];

            updates->list[updates->n++] = (struct update){
                put->word, (uint32_t)put->pe, on_report_clock(&report->pes[i], put->began), i, put};
        }
    qsort(updates->list, updates->n, sizeof *updates->list, by_word);
    return 0;
}

/* The last update of the word, by any PE, that began while the wait lasted. */
static bool find_update(const struct tern_report *report, const struct updates *updates,
                        struct tern_arrow *arrow)
{
    const struct tern_pe_profile *pe = &report->pes[arrow->to];
    int64_t began = on_report_clock(pe, arrow->wait->began);
    struct update end = {arrow->wait->word, pe->head.pe, began + (int64_t)arrow->wait->ns, 0, NULL};
    size_t low = 0, high = updates->n;

    while (low < high) { /* the first update behind the end */
        size_t middle = low + (high - low) / 2;

        if (by_word(&updates->list[middle], &end) <= 0)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == 0 || updates->list[low - 1].word != end.word ||
        updates->list[low - 1].target != end.target || updates->list[low - 1].at < began)
        return false;
    arrow->from = updates->list[low - 1].from;
    arrow->put = updates->list[low - 1].put;
    return true;
}

static int by_length(const void *a, const void *b)
{
    const struct tern_arrow *one = a, *other = b;

    return (one->wait->ns < other->wait->ns) - (one->wait->ns > other->wait->ns);
}

/* More would hide each other. */
#define MOST_ARROWS 4096

static int list_waits(struct tern_report *report)
{
    size_t n = 0;

    for (uint32_t i = 0; i < report->n_read; i++)
        for (uint32_t j = 0; j < report->pes[i].head.n_events; j++)
            n += report->pes[i].events[j].word != 0;
    report->arrows = calloc(n + 1, sizeof *report->arrows);
    if (!report->arrows)
        return -ENOMEM;
    for (uint32_t i = 0; i < report->n_read; i++)
        for (uint32_t j = 0; j < report->pes[i].head.n_events; j++)
            if (report->pes[i].events[j].word != 0)
                report->arrows[report->n_arrows++] =
                    (struct tern_arrow){i, i, NULL, &report->pes[i].events[j]};
    qsort(report->arrows, report->n_arrows, sizeof *report->arrows, by_length);
    if (report->n_arrows > MOST_ARROWS)
        report->n_arrows = MOST_ARROWS;
    return 0;
}

/* Keeps the waits whose update is known, and adds an interval for each. */
static int match_waits(struct tern_report *report, const struct updates *updates,
                       struct intervals *all)
{
    uint32_t kept = 0;
    int r = 0;

    for (uint32_t i = 0; !r && i < report->n_arrows; i++) {
        struct tern_arrow arrow = report->arrows[i];
        struct interval interval = {.weight = 1};

        if (!find_update(report, updates, &arrow))
            continue;
        interval.pe = report->pes[arrow.to].head.pe;
        interval.for_pe = report->pes[arrow.from].head.pe;
        interval.from = on_report_clock(&report->pes[arrow.to], arrow.wait->began);
        interval.to = on_report_clock(&report->pes[arrow.from], arrow.put->began);
        r = add_interval(all, interval);
        report->arrows[kept++] = arrow;
    }
    report->n_arrows = kept;
    return r;
}

static int find_arrows(struct tern_report *report, struct intervals *all)
{
    struct updates updates = {.n = 0};
    int r = list_waits(report);

    if (!r)
        r = list_updates(report, &updates);
    if (!r)
        r = match_waits(report, &updates, all);
    free(updates.list);
    return r;
}

/* ---- roots ---- */

static int by_time(const void *a, const void *b)
{
    const struct interval *one = a, *other = b;

    if (one->pe != other->pe)
        return one->pe < other->pe ? -1 : 1;
    return (one->from > other->from) - (one->from < other->from);
}

static int sort_intervals(struct intervals *all, uint32_t n_pes)
{
    size_t at = 0;

    if (all->n)
        qsort(all->list, all->n, sizeof *all->list, by_time);
    all->first = calloc(n_pes + 1, sizeof *all->first);
    if (!all->first)
        return -ENOMEM;
    for (uint32_t pe = 0; pe <= n_pes; pe++) {
        while (at < all->n && all->list[at].pe < pe)
            at++;
        all->first[pe] = at;
    }
    return 0;
}

/* The first interval of the PE that may end after the time; those of a PE hardly overlap. */
static size_t find_interval(const struct intervals *all, uint32_t pe, int64_t time)
{
    size_t low = all->first[pe], high = all->first[pe + 1];

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (all->list[middle].to <= time)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/*
 * PEs waited for the PE in this time. While it waited itself, the PE that it waited for is the
 * cause; for the rest, it is the root.
 */
static void trace_back(struct tern_report *report, const struct intervals *all, uint32_t pe,
                       int64_t from, int64_t to, double weight, int steps)
{
    if (steps < MOST_STEPS)
        for (size_t i = find_interval(all, pe, from);
             i < all->first[pe + 1] && all->list[i].from < to; i++) {
            const struct interval *own = &all->list[i];
            int64_t begin = own->from > from ? own->from : from, end = own->to < to ? own->to : to;

            if (end <= begin)
                continue;
            if (begin > from)
                report->rooted[pe] += weight * (double)(begin - from);
            trace_back(report, all, own->for_pe, begin, end, weight, steps + 1);
            from = end;
        }
    if (to > from)
        report->rooted[pe] += weight * (double)(to - from);
}

int tern_report_find_waits(struct tern_report *report)
{
    struct intervals all = {.n = 0};
    int r = 0;

    report->waited = calloc((size_t)report->n_pes * report->n_pes, sizeof *report->waited);
    report->rooted = calloc(report->n_pes, sizeof *report->rooted);
    if (!report->waited || !report->rooted)
        return -ENOMEM;
    for (uint32_t i = 0; i < report->n_read; i++)
        for (uint32_t j = 0; j < report->pes[i].head.n_waits; j++)
            divide_wait(report, report->pes[i].head.pe, &report->pes[i].waits[j]);
    r = find_collective_waits(report, &all);
    if (!r)
        r = find_arrows(report, &all);
    if (!r)
        r = sort_intervals(&all, report->n_pes);
    for (size_t i = 0; !r && i < all.n; i++)
        trace_back(report, &all, all.list[i].for_pe, all.list[i].from, all.list[i].to,
                   all.list[i].weight, 0);
    free(all.list);
    free(all.first);
    return r;
}

uint32_t tern_report_root(const struct tern_report *report, double *all)
{
    uint32_t root = 0;

    *all = 0;
    for (uint32_t pe = 0; pe < report->n_pes; pe++) {
        *all += report->rooted[pe];
        if (report->rooted[pe] > report->rooted[root])
            root = pe;
    }
    return root;
}

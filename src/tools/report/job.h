/* SPDX-License-Identifier: BSD-3-Clause */
/* The profiles of a job's PEs, combined into one report. */
#ifndef TERN_TOOLS_REPORT_JOB_H
#define TERN_TOOLS_REPORT_JOB_H

#include <stdbool.h>
#include <stdio.h>

#include "tools/profile/record.h"

/* Names of the activities, with computing as the last. */
extern const char *const tern_activity_names[TERN_N_ACTIVITIES + 1];

struct tern_pe_profile {
    struct tern_profile *profile; /* the mapped file of `bytes` bytes, which the tables are in */
    size_t bytes;
    struct tern_profile_head head;
    struct tern_profile_peer *peers;
    struct tern_profile_module *modules;
    struct tern_profile_site *sites;
    int *places; /* of each site, its index in the job's places */
    struct tern_profile_word *updates, *waits;
    struct tern_profile_meeting *meetings;
    struct tern_profile_event *events;
    struct tern_profile_put *puts;
    struct tern_profile_sample *samples;
    struct tern_profile_phase *phases;
    struct tern_profile_span *spans;
    int64_t start; /* in ns after the earliest start of a PE */
    bool was_killed;
    bool is_in_call; /* a killed PE: its call did not return */
    uint32_t current_site;
    uint64_t current_ns;
};

/* A call site of the program, on all PEs. */
struct tern_place {
    char routine[52];
    char module[248];
    uint64_t address;
    char where[256]; /* file:line, or the module's name and an address in it */
    uint64_t calls, ns, longest_ns, bytes;
};

/* Where the program computes: a function, with the line that has most of its samples. */
struct tern_spot {
    char function[128];
    char where[256];
    uint64_t ns;         /* of processor time, of all threads of all PEs */
    uint64_t line_ns;    /* in that line */
    uint64_t library_ns; /* in functions of libraries that it calls */
    uint32_t most_pe;    /* the PE with most of it */
    uint64_t most_ns;    /* the time of that PE */
};

/* A wait, with the update that ended it. */
struct tern_arrow {
    uint32_t from, to; /* indices in the report's PEs */
    const struct tern_profile_put *put;
    const struct tern_profile_event *wait;
};

struct tern_report {
    uint32_t n_pes, n_read;
    struct tern_pe_profile *pes; /* n_read of them, in the order of PEs */
    struct tern_place *places;   /* the most expensive first */
    uint32_t n_places;
    double *waited;          /* ns: [pe * n_pes + the PE that pe waited for] */
    double *rooted;          /* ns: [pe]: waits of all PEs that lead back to this one */
    struct tern_spot *spots; /* the most expensive first */
    uint32_t n_spots;
    uint64_t sampled_ns; /* of all spots */
    struct tern_arrow *arrows;
    uint32_t n_arrows;
};

/* Values for each pair of PEs. An atomic operation counts as 8 bytes. */
enum tern_matrix { TERN_BYTES, TERN_OPERATIONS, TERN_WAITED, TERN_N_MATRICES };

/*
 * Reads all profiles in a folder. A damaged one is left out, with a message. 0, or -errno after a
 * message, but -ENOMEM without one.
 */
int tern_report_read(struct tern_report *report, const char *folder);

/* Frees what the functions below and the one above allocated, also after an error of theirs. */
void tern_report_free(struct tern_report *report);

/*
 * Finds the source lines of all places if addr2line is installed, and merges places on the same
 * line. 0 or -ENOMEM.
 */
int tern_report_find_lines(struct tern_report *report);

/* Puts the most expensive places first. 0 or -ENOMEM. */
int tern_report_sort_places(struct tern_report *report);

/*
 * Computes for which PEs each PE waited and how long, which updates ended waits, and to which PEs
 * chains of waits lead back. 0 or -ENOMEM.
 */
int tern_report_find_waits(struct tern_report *report);

/* Finds where the program computes, from the samples. 0 or -ENOMEM. */
#define TERN_REPORT_SPOTS 20 /* of so many spots, the PE with most of the time is known */
int tern_report_find_spots(struct tern_report *report);

/*
 * Writes the n-th piece of advice, from 0 on: one or two sentences. Returns false if there are not
 * so many. docs/profile.md has the rules.
 */
#define TERN_REPORT_ADVICE 512
#define TERN_REPORT_MOST_ADVICE 3 /* so much is printed */
bool tern_report_advise(const struct tern_report *report, unsigned n,
                        char text[TERN_REPORT_ADVICE]);

/* Of a PE that was killed: "in shmem_barrier_all at heat.c:42 for 3.2 s", or "computing". */
void tern_report_last_call(const struct tern_report *report, const struct tern_pe_profile *pe,
                           char *text, size_t bytes);

/* A phase on all PEs. */
struct tern_phase_sum {
    struct tern_profile_phase all;
    uint64_t most_ns; /* of one PE */
};

/* Adds up the n-th phase, from 0 on. Returns false if there are not so many. */
bool tern_report_phase(const struct tern_report *report, unsigned n, struct tern_phase_sum *sum);

/* The PE at the root of most waiting. *all: the waits of all PEs in ns; 0: nobody waited. */
uint32_t tern_report_root(const struct tern_report *report, double *all);

/* ---- outputs ---- */

void tern_report_print(const struct tern_report *report, FILE *out);
void tern_report_write_page(const struct tern_report *report, FILE *out);
void tern_report_write_trace(const struct tern_report *report, FILE *out);

/*
 * Writes the program's name, without its folder, and its arguments. The text may be four times as
 * long as the recorded one: an empty argument takes one byte there, and a space and two quotes more
 * here.
 */
#define TERN_REPORT_COMMAND (4 * TERN_PROFILE_COMMAND + 64)
void tern_report_command(const struct tern_report *report, char command[TERN_REPORT_COMMAND]);

/* Writes when the first of the PEs that were read called its first init, as text. */
#define TERN_REPORT_DATE 32
void tern_report_date(const struct tern_report *report, char date[TERN_REPORT_DATE]);

/*
 * The part of the PEs' computing time in which they were ready to run but had no core; 0 if that is
 * little or unknown.
 */
double tern_report_without_core(const struct tern_report *report);

/* Calls of all threads except the main ones, and their time. */
void tern_report_beside(const struct tern_report *report, uint64_t *calls, uint64_t *ns);

/* The number of calls that were only counted. */
uint64_t tern_report_estimated(const struct tern_report *report);

/* The number of calls from sites that did not fit into the PEs' tables. */
uint64_t tern_report_other_calls(const struct tern_report *report);

double tern_report_cell(const struct tern_report *report, enum tern_matrix which,
                        const struct tern_pe_profile *pe, uint32_t peer);

/*
 * Times of a PE. span: from the end of its first init to the end of its last finalize. time: the
 * part of the span in which the library was initialized. computed: the part of that time outside of
 * calls.
 */
uint64_t tern_report_span(const struct tern_pe_profile *pe);
uint64_t tern_report_time(const struct tern_pe_profile *pe);
uint64_t tern_report_computed(const struct tern_pe_profile *pe);

/*
 * The longest computing time of a PE divided by the average. 0 if all PEs together computed for
 * less than TERN_REPORT_LITTLE of their time: then the ratio means nothing. *share: the computed
 * part of the time of all PEs.
 */
#define TERN_REPORT_LITTLE 0.05
double tern_report_imbalance(const struct tern_report *report, double *share);

#endif

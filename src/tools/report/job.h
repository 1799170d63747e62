/* SPDX-License-Identifier: BSD-3-Clause */
/* The profiles of a job's PEs, combined into one report. */
#ifndef TERN_TOOLS_REPORT_JOB_H
#define TERN_TOOLS_REPORT_JOB_H

#include <stdio.h>

#include "tools/profile/record.h"

/* Names of the activities, with computing as the last. */
extern const char *const tern_activity_names[TERN_N_ACTIVITIES + 1];

struct tern_pe_profile {
    struct tern_profile_head head;
    struct tern_profile_peer *peers;
    struct tern_profile_module *modules;
    struct tern_profile_site *sites;
    int *places; /* of each site, its index in the job's places */
    struct tern_profile_word *updates, *waits;
    struct tern_profile_meeting *meetings;
    struct tern_profile_event *events;
    int64_t start; /* in ns after the earliest start of a PE */
};

/* A call site of the program, on all PEs. */
struct tern_place {
    char routine[52];
    char module[248];
    uint64_t address;
    char where[256]; /* file:line, or the module's name and an address in it */
    uint64_t calls, ns, longest_ns, bytes;
};

struct tern_report {
    uint32_t n_pes, n_read;
    struct tern_pe_profile *pes; /* n_read of them, in the order of PEs */
    struct tern_place *places;   /* the most expensive first */
    uint32_t n_places;
    double *waited; /* ns: [pe * n_pes + the PE that pe waited for] */
};

/* Values for each pair of PEs. An atomic operation counts as 8 bytes. */
enum tern_matrix { TERN_BYTES, TERN_OPERATIONS, TERN_WAITED, TERN_N_MATRICES };

/* Reads all profiles in a folder. 0, or -errno after a message. */
int tern_report_read(struct tern_report *report, const char *folder);

/*
 * Finds the source lines of all places if addr2line is installed, and merges places on the same
 * line. 0 or -ENOMEM.
 */
int tern_report_find_lines(struct tern_report *report);

/* Puts the most expensive places first. 0 or -ENOMEM. */
int tern_report_sort_places(struct tern_report *report);

/* Computes for which PEs each PE waited, and how long. 0 or -ENOMEM. */
int tern_report_find_waits(struct tern_report *report);

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

/* Calls of all threads except the main ones, and their time. */
void tern_report_beside(const struct tern_report *report, uint64_t *calls, uint64_t *ns);

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

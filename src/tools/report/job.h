/* SPDX-License-Identifier: BSD-3-Clause */
/* The profiles of a job's PEs, read and put together. */
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
    struct tern_pe_profile *pes; /* those that were read, by their number */
    struct tern_place *places;   /* the most expensive first */
    uint32_t n_places;
    double *waited; /* [pe * n_pes + for whom], in ns */
};

/* What a PE has to do with another one; of atomic operations each counts as 8 bytes. */
enum tern_matrix { TERN_BYTES, TERN_OPERATIONS, TERN_WAITED, TERN_N_MATRICES };

/* Reads all of a folder. 0, or -errno after a message. */
int tern_report_read(struct tern_report *report, const char *folder);

/*
 * Finds source files and lines of all places, if addr2line is there; calls of one line are one. 0
 * or -ENOMEM.
 */
int tern_report_find_lines(struct tern_report *report);

/* Puts the most expensive places first. 0 or -ENOMEM. */
int tern_report_sort_places(struct tern_report *report);

/* Works out who waited for whom. 0 or -ENOMEM. */
int tern_report_find_waits(struct tern_report *report);

/* ---- outputs ---- */

void tern_report_print(const struct tern_report *report, FILE *out);
void tern_report_write_page(const struct tern_report *report, FILE *out);
void tern_report_write_trace(const struct tern_report *report, FILE *out);

/*
 * The program's name, without its folder, and its arguments, as of one job of all that was read. An
 * argument may be as short as its 0, and has a space and two quotes more then.
 */
#define TERN_REPORT_COMMAND (4 * TERN_PROFILE_COMMAND + 64)
void tern_report_command(const struct tern_report *report, char command[TERN_REPORT_COMMAND]);

/* When the first PE that was read began, for people. */
#define TERN_REPORT_DATE 32
void tern_report_date(const struct tern_report *report, char date[TERN_REPORT_DATE]);

/* Calls of threads that have not called shmem_init, and the time of these. */
void tern_report_beside(const struct tern_report *report, uint64_t *calls, uint64_t *ns);

/* Calls from places that the tables of PEs had no room for. */
uint64_t tern_report_other_calls(const struct tern_report *report);

double tern_report_cell(const struct tern_report *report, enum tern_matrix which,
                        const struct tern_pe_profile *pe, uint32_t peer);

/*
 * Time of a PE between the ends of its first init and of its last finalize; the part of it between
 * the ends of an init and of its finalize; and the part of that in which it computed.
 */
uint64_t tern_report_span(const struct tern_pe_profile *pe);
uint64_t tern_report_time(const struct tern_pe_profile *pe);
uint64_t tern_report_computed(const struct tern_pe_profile *pe);

/*
 * How many times as long as the average the busiest PE computed; 0 where PEs computed for less than
 * TERN_REPORT_LITTLE of their time, so that it says nothing. The share is that of all.
 */
#define TERN_REPORT_LITTLE 0.05
double tern_report_imbalance(const struct tern_report *report, double *share);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The file of a PE for tern-profile: struct tern_profile, then a struct tern_profile_peer for each
 * PE of the job. The tool has the file mapped and writes to it while the program runs, so that the
 * profile of a PE that is killed is there as well. All tables have a fixed size, whatever the run's
 * length.
 */
#ifndef TERN_TOOLS_PROFILE_RECORD_H
#define TERN_TOOLS_PROFILE_RECORD_H

#include <stdint.h>

#define TERN_PROFILE_MAGIC UINT64_C(0x3730666f72506e72)

#define TERN_PROFILE_SITES 1024
#define TERN_PROFILE_WORDS 1024
#define TERN_PROFILE_MEETINGS 8192
#define TERN_PROFILE_EVENTS 16384
#define TERN_PROFILE_THREADS 1024 /* threads that events can name */
#define TERN_PROFILE_BUCKETS 512
#define TERN_PROFILE_SIZES 48
#define TERN_PROFILE_MODULES 64
#define TERN_PROFILE_COMMAND 512
#define TERN_PROFILE_SAMPLES 4096
#define TERN_PROFILE_PUTS 8192
#define TERN_PROFILE_PHASES 32
#define TERN_PROFILE_PHASE_NAME 48
#define TERN_PROFILE_SPANS 4096

/* Processor time between two samples of a thread. */
#define TERN_PROFILE_SAMPLE_NS 5000000

/* On what a PE spends its time. */
enum tern_activity {
    TERN_TRANSFERS,    /* puts, gets, atomics, signals, fence and quiet */
    TERN_COLLECTIVES,  /* those that move data */
    TERN_WAITING,      /* for variables, for locks, and for other PEs as at barriers */
    TERN_N_ACTIVITIES, /* the rest is computing */
    /* Not computing either: from a finalize to the next init, and while the tool writes. */
    TERN_APART = TERN_N_ACTIVITIES,
    TERN_N_SPENT
};

enum tern_transfer { TERN_PUTS, TERN_GETS, TERN_ATOMICS, TERN_BLOCKS, TERN_N_TRANSFERS };

struct tern_profile_head {
    uint64_t magic;
    uint32_t pe, n_pes;
    char host[64];
    /* The program and its arguments, each ended by a zero byte, cut off where room ends. */
    char command[TERN_PROFILE_COMMAND];
    uint64_t command_bytes;
    int64_t date; /* of the first init, in seconds since 1970 */
    /* CLOCK_MONOTONIC, in ns: the first init, the last finalize (0 before), the last record. */
    uint64_t began, ended, last;
    uint64_t spent[TERN_N_SPENT];
    uint64_t calls;
    uint64_t calls_beside, ns_beside; /* of all threads except the main one; included in calls */
    uint64_t sizes[TERN_N_TRANSFERS][TERN_PROFILE_SIZES]; /* of 2^i bytes or more */
    uint64_t bucket_ns;                                   /* a power of two times 1024 */
    uint64_t buckets[TERN_PROFILE_BUCKETS][TERN_N_SPENT];
    uint32_t n_modules, n_sites, n_updates, n_waits, n_meetings, n_events;
    uint32_t n_puts, n_phases, n_spans;
    uint32_t meeting_shift; /* only meetings whose number is a multiple of 2^this are kept */
    uint32_t put_shift;     /* only updates in each 2^this-th window are kept */
    uint32_t main_thread;   /* its number; see profile.c */
    uint32_t current_site;  /* of the main thread's call that has not returned, + 1; 0: none */
    uint64_t current_since;
    uint64_t other_sites;    /* calls from places that the table had no room for */
    uint64_t shortest_event; /* events shorter than this are left out */
    uint64_t estimated;      /* calls that were counted, and attributed by samples of them */
    /* Samples of the main thread and of others outside of calls; of all threads in calls. */
    uint64_t samples_main, samples_beside, samples_inside;
    uint64_t lost_samples; /* of places that the table had no room for */
    uint32_t samples_on;   /* 0: sampling was not possible */
    uint32_t cores;        /* of the machine */
    /* Time in which the main thread was ready to run but had no core; UINT64_MAX: unknown. */
    uint64_t ready_ns;
    uint64_t cpu_ns; /* processor time of the main thread, if ready_ns is known */
};

struct tern_profile_peer {
    uint64_t operations, put_bytes, get_bytes, atomics;
};

/* A loaded file: its addresses in memory, and the load bias. */
struct tern_profile_module {
    uint64_t start, end, bias;
    char path[232];
};

/* A place in the program that calls a routine. */
struct tern_profile_site {
    uint64_t address; /* in its module */
    int32_t module;
    uint8_t activity;
    char routine[51];
    uint64_t calls, ns, longest_ns, bytes;
};

/* A word of PE `pe` that this PE updated, or, with pe -1, a word of its own that it waited for. */
struct tern_profile_word {
    uint64_t word; /* its name, see tools/symmetric.h */
    int64_t pe;
    uint64_t times, ns;
};

/* One collective call: the number-th of the team with this key. */
struct tern_profile_meeting {
    uint64_t team, number;
    uint64_t members; /* of the team; the record is used only if all of them have one */
    uint64_t came, left;
};

struct tern_profile_event {
    uint64_t began, ns, bytes;
    uint64_t word;   /* the name of the word that ended a wait; 0: none */
    uint16_t thread; /* numbered from 1; threads beyond the limit share a number */
    uint16_t site;
    int32_t peer;
};

/*
 * An update of a word of another PE, which may end a wait. When the table is full, every second
 * window of time is dropped, the same ones on all PEs of a machine.
 */
#define TERN_PROFILE_WINDOW_SHIFT 20
struct tern_profile_put {
    uint64_t word, began, ns;
    int32_t pe;
    uint16_t thread, site;
};

/* Samples of one place: an address in memory, of the program where its caller was found. */
struct tern_profile_sample {
    uint64_t address;
    uint64_t library; /* the address that was sampled, if it is in a library; else 0 */
    uint32_t main, beside;
};

/* What the main thread did in a phase of the program. */
struct tern_profile_phase {
    char name[TERN_PROFILE_PHASE_NAME];
    uint64_t times, ns, calls, bytes;
    uint64_t spent[TERN_N_SPENT];
};

/* One passage through a phase. Further ones are counted in the phase only. */
struct tern_profile_span {
    uint64_t began, ended; /* ended: 0 while it lasts */
    uint32_t phase;
};

struct tern_profile {
    struct tern_profile_head head;
    struct tern_profile_module modules[TERN_PROFILE_MODULES];
    struct tern_profile_site sites[TERN_PROFILE_SITES];
    struct tern_profile_word updates[TERN_PROFILE_WORDS], waits[TERN_PROFILE_WORDS];
    struct tern_profile_meeting meetings[TERN_PROFILE_MEETINGS];
    struct tern_profile_event events[TERN_PROFILE_EVENTS];
    struct tern_profile_put puts[TERN_PROFILE_PUTS];
    struct tern_profile_sample samples[TERN_PROFILE_SAMPLES];
    struct tern_profile_phase phases[TERN_PROFILE_PHASES];
    struct tern_profile_span spans[TERN_PROFILE_SPANS];
    struct tern_profile_peer peers[];
};

#endif

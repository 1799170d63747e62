/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The file that the profiling tool of a PE writes for tern-profile. It has these structures in
 * order: head, peers (one for each PE), modules, sites, updates, waits, meetings, events. All
 * tables have a fixed size in memory, whatever the run's length.
 */
#ifndef TERN_TOOLS_PROFILE_RECORD_H
#define TERN_TOOLS_PROFILE_RECORD_H

#include <stdint.h>

#define TERN_PROFILE_MAGIC UINT64_C(0x3630666f72506e72)

#define TERN_PROFILE_SITES 1024
#define TERN_PROFILE_WORDS 1024
#define TERN_PROFILE_MEETINGS 8192
#define TERN_PROFILE_EVENTS 16384
#define TERN_PROFILE_THREADS 1024 /* threads that events can name */
#define TERN_PROFILE_BUCKETS 512
#define TERN_PROFILE_SIZES 48
#define TERN_PROFILE_MODULES 32
#define TERN_PROFILE_COMMAND 512

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
    int64_t date;          /* of the first init, in seconds since 1970 */
    uint64_t began, ended; /* CLOCK_MONOTONIC, in ns: of the first init, of the last finalize */
    uint64_t spent[TERN_N_SPENT];
    uint64_t calls;
    uint64_t calls_beside, ns_beside; /* of all threads except the main one; included in calls */
    uint64_t sizes[TERN_N_TRANSFERS][TERN_PROFILE_SIZES]; /* of 2^i bytes or more */
    uint64_t bucket_ns;                                   /* a power of two times 1024 */
    uint64_t buckets[TERN_PROFILE_BUCKETS][TERN_N_SPENT];
    uint32_t n_modules, n_sites, n_updates, n_waits, n_meetings, n_events;
    uint32_t meeting_shift;  /* only meetings whose number is a multiple of 2^this are kept */
    uint32_t main_thread;    /* its number; see profile.c */
    uint64_t other_sites;    /* calls from places that the table had no room for */
    uint64_t shortest_event; /* events shorter than this are left out */
};

struct tern_profile_peer {
    uint64_t operations, put_bytes, get_bytes, atomics;
};

struct tern_profile_module {
    uint64_t base;
    char path[248];
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
    uint16_t thread; /* numbered from 1; threads beyond the limit share a number */
    uint16_t site;
    int32_t peer;
};

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* The options of a job, as the command line gives them. */
#ifndef TERN_LAUNCH_PLAN_OPTIONS_H
#define TERN_LAUNCH_PLAN_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "launch/plan/hosts.h"
#include "launch/plan/linked_libraries.h"

/* One of the programs that colons separate. */
struct tern_launch_program {
    uint64_t n_pes;
    char **argv;           /* the program's name as given and its arguments; NULL at the end */
    const char *directory; /* --wdir, or NULL */
    char **settings;       /* NAME=VALUE of each -x; allocated */
    size_t n_settings;
    char *path;     /* where tern_program_find() found the program */
    bool is_elf;    /* a binary, which no shell can interpret */
    bool is_static; /* a static binary, which no tool can be loaded into */
    struct tern_linked_libraries libraries;
};

enum tern_action {
    TERN_ACTION_RUN,
    TERN_ACTION_HELP,
    TERN_ACTION_OTHER_FLAGS,
    TERN_ACTION_VERSION
};

struct tern_options {
    enum tern_action action;
    struct tern_launch_program *programs;
    size_t n_programs;
    uint64_t n_pes;           /* of all programs */
    struct tern_hosts hosts;  /* empty: this machine */
    uint64_t per_host;        /* PEs on each host; 0: not given */
    const char *launcher;     /* --launcher, or NULL */
    const char *chaos;        /* --chaos: a seed, or NULL */
    const char *check;        /* --check: its mode, or NULL */
    const char *hang_timeout; /* --hang-timeout: seconds, or NULL */
    bool profile;
    bool tag_output;
    bool bind;
    bool cyclic;  /* --map-by node */
    bool domains; /* --map-by socket and the like */
    bool verbose;
    uint64_t timeout_ns; /* 0: none */
};

/*
 * Parses argv, whose strings are kept and changed. A single program without -n gets as many PEs as
 * its hosts have slots, or one on each host, or `cores` on this machine, or 0 where --launcher is
 * given without hosts: the starter decides then. Returns 0, -ENOMEM, or -EINVAL after a message.
 */
int tern_options_parse(struct tern_options *options, char **argv, int cores);

/*
 * Reads SHMEMRUN_TIMEOUT and SHMEMRUN_VERBOSE, which other libraries' shmemrun knows, for options
 * that the command line does not give. Returns 0, or -EINVAL after a message.
 */
int tern_options_read_shmemrun(struct tern_options *options);

/* Whether a starter has to run the job: --launcher is given, or a host that is not this machine. */
bool tern_options_need_starter(const struct tern_options *options);

void tern_options_free(struct tern_options *options);

#endif

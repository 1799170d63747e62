/* SPDX-License-Identifier: BSD-3-Clause */
/* What the command line asks for. */
#ifndef TERN_LAUNCH_PLAN_OPTIONS_H
#define TERN_LAUNCH_PLAN_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "launch/plan/hosts.h"
#include "launch/plan/linked_libraries.h"

/* One of the programs between the colons. */
struct tern_launch_program {
    uint64_t n_pes;
    char **argv;           /* the program as it was given and its arguments, NULL at the end */
    const char *directory; /* --wdir, or NULL */
    char **settings;       /* NAME=VALUE of each -x, allocated */
    size_t n_settings;
    char *path;     /* where the program was found; set by tern_program_find() */
    bool is_elf;    /* a binary, never to be handed to a shell */
    bool is_static; /* one that nothing can be preloaded into */
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
    struct tern_hosts hosts;  /* none: this machine */
    uint64_t per_host;        /* PEs on each, 0: not set */
    const char *launcher;     /* the user's wish, or NULL */
    const char *chaos;        /* --chaos: a seed, or NULL */
    const char *check;        /* --check: its mode, or NULL */
    const char *hang_timeout; /* --hang-timeout: seconds, or NULL */
    bool profile;
    bool tag_output;
    bool bind;
    bool cyclic;  /* --map-by node: nothing to do if there is one host */
    bool domains; /* --map-by socket or the like: nothing to do without bind */
    bool verbose;
    uint64_t timeout_ns; /* 0: none */
};

/*
 * Cuts argv into options and programs; argv's strings are used in place. A single program without
 * -n has as many PEs as its hosts are given, or one on each of them, or `cores` on this machine, or
 * 0 where a launcher was asked for without hosts: that knows. Returns 0, or -EINVAL after saying
 * what is wrong.
 */
int tern_options_parse(struct tern_options *options, char **argv, int cores);

/*
 * SHMEMRUN_TIMEOUT and SHMEMRUN_VERBOSE, variables of the launcher whose name shmemrun is, for what
 * the command line leaves open. Returns 0, or -EINVAL after saying what is wrong.
 */
int tern_options_read_shmemrun(struct tern_options *options);

/* Whether another launcher has to start the job. */
bool tern_options_need_starter(const struct tern_options *options);

void tern_options_free(struct tern_options *options);

#endif

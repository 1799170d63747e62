/* SPDX-License-Identifier: BSD-3-Clause */
/* The flags of the command line: oshrun's own, and those of other launchers. */
#ifndef TERN_LAUNCH_PLAN_FLAGS_H
#define TERN_LAUNCH_PLAN_FLAGS_H

#include <stdbool.h>

enum tern_option {
    TERN_OPTION_PES,
    TERN_OPTION_ENV,
    TERN_OPTION_DIRECTORY,
    TERN_OPTION_HOSTS,
    TERN_OPTION_HOSTFILE,
    TERN_OPTION_PER_HOST,
    TERN_OPTION_PPR,     /* number of PEs on each host, as in ppr:2:node */
    TERN_OPTION_CYCLIC,  /* PEs assigned to the hosts round robin */
    TERN_OPTION_DOMAINS, /* PEs assigned to sockets or other parts of a host */
    TERN_OPTION_LAUNCHER,
    TERN_OPTION_TIMEOUT,
    TERN_OPTION_BIND,
    TERN_OPTION_CHAOS,
    TERN_OPTION_CHECK,
    TERN_OPTION_HANG_TIMEOUT,
    TERN_OPTION_PROFILE,
    TERN_OPTION_TAG,
    TERN_OPTION_VERBOSE,
    TERN_OPTION_VERSION,
    TERN_OPTION_HELP,
    TERN_OPTION_IGNORED, /* of another launcher; has no effect */
    TERN_OPTION_REFUSED, /* of another launcher; not supported */
};

enum tern_wants {
    TERN_WANTS_NOTHING,
    TERN_WANTS_VALUE,   /* the next argument, or attached */
    TERN_WANTS_MAYBE,   /* attached with an equals sign, or none */
    TERN_WANTS_PAIR,    /* the next two arguments */
    TERN_WANTS_SETTING, /* NAME=VALUE, or both as separate arguments */
};

struct tern_flag {
    const char *words; /* all spellings, separated by blanks */
    enum tern_wants wants;
    enum tern_option option;
    const char *values; /* the values that this entry is for, separated by blanks; NULL: any */
    const char *fixed;  /* replaces the value, or NULL */
    const char *text;   /* for another launcher's flag: what oshrun does, or what to use instead */
};

/*
 * Finds the flag that an argument names, with one dash or two. *attached is the value that is
 * attached as in --wdir=DIR and -n4, or NULL. Returns NULL if there is no such flag.
 */
const struct tern_flag *tern_flags_find(char *argument, char **attached);

/* Finds the entry of a flag for this value, or for none if it is NULL. */
const struct tern_flag *tern_flags_for_value(const struct tern_flag *flag, const char *value);

/* Prints the flags of other launchers, and what oshrun does for each. */
void tern_flags_print_others(void);

#endif

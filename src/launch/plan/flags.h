/* SPDX-License-Identifier: BSD-3-Clause */
/* The flags that the command line may have: oshrun's own, and those of other launchers. */
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
    TERN_OPTION_PPR,     /* PEs on each host, as in ppr:2:node */
    TERN_OPTION_CYCLIC,  /* PEs dealt out to the hosts one by one */
    TERN_OPTION_DOMAINS, /* PEs dealt out to sockets or other parts of a host */
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
    TERN_OPTION_IGNORED, /* of another launcher: nothing has to be done for it */
    TERN_OPTION_REFUSED, /* of another launcher: oshrun can't do it */
};

enum tern_wants {
    TERN_WANTS_NOTHING,
    TERN_WANTS_VALUE,   /* the next argument, or attached */
    TERN_WANTS_MAYBE,   /* attached by an equals sign, or none */
    TERN_WANTS_PAIR,    /* the next two arguments */
    TERN_WANTS_SETTING, /* NAME=VALUE, or the two as arguments of their own */
};

struct tern_flag {
    const char *words; /* all of its spellings, with blanks between */
    enum tern_wants wants;
    enum tern_option option;
    const char *values; /* the values that this entry is about, with blanks between; NULL: any */
    const char *fixed;  /* for the option in place of the value, or NULL */
    const char *text;   /* another launcher's flag: what oshrun does, or what to use instead */
};

/*
 * The flag that an argument names, with one dash or two: the whole of it, or with its value
 * attached as in --wdir=DIR and -n4; *attached is then the value, else NULL. NULL: there is none.
 */
const struct tern_flag *tern_flags_find(char *argument, char **attached);

/* A flag may have several entries: the one for this value, which is NULL if there is none. */
const struct tern_flag *tern_flags_for_value(const struct tern_flag *flag, const char *value);

/* Prints the flags of other launchers, and what oshrun does for each. */
void tern_flags_print_others(void);

#endif

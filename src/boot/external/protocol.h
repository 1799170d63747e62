/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What differs between launchers that know nothing of Tern: how a PE is told its place, and how PEs
 * exchange small values while they start.
 */
#ifndef TERN_BOOT_EXTERNAL_PROTOCOL_H
#define TERN_BOOT_EXTERNAL_PROTOCOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "boot/start_error.h"

/* What the environment says. */
struct tern_protocol_place {
    int pe;
    int n_pes;         /* 0: not known yet */
    uint64_t lock_key; /* a number for this PE, unlike any other's on this machine: see pe_lock.h */
};

/* What the launcher says once it is spoken to. */
struct tern_protocol_job {
    int pe, n_pes;
    uint64_t id;             /* the same on all PEs of the job on this machine, and only on them */
    size_t most_value_bytes; /* of a value, without the null that ends it */
};

/*
 * One kind of launcher. Functions that return int give 0, or -errno after the reason has been
 * printed. Calls from find() to get() come from the thread that initializes, one after the other.
 * watch() comes from another one later, and may overlap with what follows. One thread, whichever,
 * calls leave() or abort(), and does so once; a mistake can make it overlap with connect() to
 * get().
 */
struct tern_protocol {
    const char *name; /* "PMI", as in "the launcher (PMI) has hung up" */
    bool is_library; /* it is spoken to by one, which must be left before libraries are torn down */

    /*
     * Before main: whether this process was started by such a launcher, as far as the environment
     * says. The words may be inherited, or make no sense: then false, with the start-up error.
     */
    bool (*find)(char *const *envp, struct tern_protocol_place *place,
                 struct tern_start_error *start_error);

    int (*connect)(struct tern_protocol_job *job);

    /* A value of this PE, without blanks or any of "=;". Others get it after the next fence. */
    int (*put)(const char *key, const char *value);
    int (*fence)(void);
    int (*get)(int pe, const char *key, char *value, size_t value_bytes);

    /* Ends the whole job; may return. The status is passed on if abort_keeps() says so. */
    void (*abort)(int status);
    bool (*abort_keeps)(int status);

    /* The process ends, and all is well with it. */
    void (*leave)(void);

    /* A descriptor that becomes readable, or hangs up, when the launcher is gone; -1: unknown. */
    int (*watch)(void);
};

extern const struct tern_protocol tern_protocol_pmi, tern_protocol_pmix;

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A protocol of launchers that know nothing of Tern: how a PE learns its number, and how PEs
 * exchange small values while they start.
 */
#ifndef TERN_BOOT_EXTERNAL_PROTOCOL_H
#define TERN_BOOT_EXTERNAL_PROTOCOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "boot/start_error.h"

/* What the environment holds. */
struct tern_protocol_place {
    int pe;
    int n_pes;         /* 0: not known yet */
    uint64_t lock_key; /* unique among the PEs of this machine: see pe_lock.h */
};

/* What the launcher answers once the PE is connected. */
struct tern_protocol_job {
    int pe, n_pes;
    uint64_t id;             /* equal for the PEs of the job on this machine, and only for them */
    size_t most_value_bytes; /* in a value, without the null that ends it */
};

/*
 * Functions that return int give 0, or -errno after a message. The thread in shmem_init calls
 * connect(), put(), fence() and get(), one after the other. The other functions are called as those
 * of the same names in boot/ops.h; leave() and abort() may overlap with connect() to get().
 */
struct tern_protocol {
    const char *name; /* "PMI", as in "the launcher (PMI) has hung up" */
    bool is_library;  /* leave() must precede the end of a library that speaks the protocol */

    /*
     * Before main: whether the environment has this protocol's variables. If they are malformed, or
     * nobody answers, false with a start-up error or warning.
     */
    bool (*find)(char *const *envp, struct tern_protocol_place *place,
                 struct tern_start_error *start_error);

    int (*connect)(struct tern_protocol_job *job);

    /*
     * put() publishes a value without blanks and any of "=;". Once all PEs are in fence(), get()
     * reads the value of any PE.
     */
    int (*put)(const char *key, const char *value);
    int (*fence)(void);
    int (*get)(int pe, const char *key, char *value, size_t value_bytes);

    /* Ends the whole job; may return. */
    void (*abort)(int status);

    /* Whether the job then ends with that status. */
    bool (*abort_keeps)(int status);

    /* The process ends in order. */
    void (*leave)(void);

    /* As tern_boot_watch_fd(): negative if nothing shows the launcher's end. */
    int (*watch)(void);
};

extern const struct tern_protocol tern_protocol_pmi, tern_protocol_pmix;

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* Who am I, how many are we, and the node's shared object: what a launcher tells a PE. */
#ifndef TERN_BOOT_BOOT_H
#define TERN_BOOT_BOOT_H

#include <stdbool.h>
#include <stdint.h>

#include "boot/job_area.h"

/*
 * The PE's place in its job. Filled before main by tern_boot_attach(), which a constructor calls,
 * because the data image has to move into the shared object before the program runs.
 */
struct tern_boot {
    int pe;      /* in the job */
    int n_pes;   /* of the job */
    int first;   /* the job's number of this node's PE 0; the PEs of a node are consecutive */
    int node_pe; /* on this node */
    int node_n_pes;
    bool forked;                /* the child of a PE's fork: it has no place in a job */
    bool alone;                 /* no launcher: a one-PE job, and the fields below are empty */
    int fd;                     /* the node's shared object, or -1 */
    struct tern_job_area *area; /* the start of the object, mapped, or NULL */
    struct tern_slot *slot;     /* this PE's own, or NULL */
    void *object;               /* where PEs that are threads have all of it mapped, else NULL */
};

/*
 * Finds the launcher in the environment and claims this PE's slot; a process that finds none, or
 * comes too late for the slot, becomes a one-PE job. envp is main's, since libc may not have set
 * environ yet. Never fails: what is wrong with the launcher's words is kept and told by
 * tern_boot_check(). Idempotent.
 */
const struct tern_boot *tern_boot_attach(char *const *envp);

#ifdef TERN_PES_ARE_THREADS
/* Makes the calling thread PE `pe` of n_pes, in place of tern_boot_attach(). */
void tern_boot_be_thread(int pe, int n_pes, int fd, void *object);
#endif

/* 0, or -errno after the reason has been printed: the launcher's words made no sense. */
int tern_boot_check(void);

/* What the launcher sees of this PE. */
void tern_boot_set_phase(enum tern_slot_phase phase);

/* The launcher need not say why this PE ended: it has done so itself. */
void tern_boot_set_told(void);

/* Registers shmem_global_exit(status); the first of several callers wins. */
void tern_boot_set_global_exit(int status);

/*
 * For the child of a fork, which is not a PE: whatever it does, the slot is its parent's. Mappings
 * stay: what its pointers lead to remains there, as after any fork.
 */
void tern_boot_forget(void);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* Who am I, how many are we, and the node's shared object: what a launcher tells a PE. */
#ifndef TERN_BOOT_BOOT_H
#define TERN_BOOT_BOOT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/pe_range.h"
#include "boot/job_area.h"
#include "boot/start_error.h"

/* Whether this PE has to report to its launcher how it ends, and when: see core/exit.h. */
enum tern_exit_report {
    TERN_EXIT_SEEN, /* no: oshrun sees it, or there is no launcher */
    TERN_EXIT_REPORT_LAST,
    TERN_EXIT_REPORT_EARLY, /* by a library, before libraries are torn down */
};

/*
 * A node is a set of PEs that share memory: start + i * stride of the world, one node the whole job
 * in the simplest case. PEs of one machine that are numbered in no such way are several nodes.
 *
 * The PE's place in its job. pe and n_pes are known before main, from the environment alone, by
 * tern_boot_attach(), which a constructor calls because the data image has to move into shared
 * memory before the program runs. Of the others the ones under "node" are set by tern_boot_join().
 */
struct tern_boot {
    int pe;                /* in the job */
    int n_pes;             /* of the job; 0 before tern_boot_join() if the launcher does not say */
    bool forked;           /* the child of a PE's fork: it has no place in a job */
    bool alone;            /* no launcher: a one-PE job, and there is no area */
    bool shares;           /* other PEs may be on this node: its data image shall be shared */
    int image_fd;          /* what the image moves to, -1: an object that the image's mover makes */
    uint64_t image_offset; /* where in it */
    enum tern_exit_report exit_report;

    /* ---- node ---- */
    int node; /* the number of this PE's own */
    int n_nodes;
    const struct tern_pe_range *nodes; /* by number, in the order of their first PEs */
    int node_pe;                       /* this PE on its node */
    int node_n_pes;
    int machine_n_pes;          /* PEs on this machine, which may be split into several nodes */
    int system_n_pes;           /* PEs under its kernel: those of other containers, too */
    uint64_t memory;            /* for the heap of each PE by default: the least of all machines */
    int fd;                     /* the node's shared object, or -1 */
    uint64_t offset;            /* of the node's arena in it */
    struct tern_job_area *area; /* mapped, or NULL */
    struct tern_slot *slots;    /* of node PE 0; see tern_boot_slot() */
    int slot_stride;
    struct tern_slot *slot; /* this PE's own, or NULL */
    void *object;           /* where PEs that are threads have all of it mapped, else NULL */
};

/*
 * Finds the launcher in the environment and claims this PE's slot; a process that finds none, or
 * comes too late for the slot, becomes a one-PE job. envp is main's, since libc may not have set
 * environ yet. Never fails and prints nothing: see tern_boot_start_error(). Idempotent.
 */
const struct tern_boot *tern_boot_attach(char *const *envp);

#ifdef TERN_PES_ARE_THREADS
/* Makes the calling thread PE `pe` of n_pes, in place of tern_boot_attach(). */
void tern_boot_be_thread(int pe, int n_pes, int fd, void *object);
#endif

/* What a PE requests of its job; all PEs have to agree on it. */
struct tern_boot_request {
    int split;     /* SHMEM_NODES: split each machine's PEs into so many nodes; 0, 1: do not */
    bool cyclic;   /* and deal them out one by one */
    uint64_t heap; /* SHMEM_SYMMETRIC_SIZE, 0 if it is not set */
    int image_fd;  /* the descriptor of this PE's data image, where it is one of its own; or -1 */
};

/*
 * What tern_boot_attach() has found wrong with the launcher's variables. With an error in it the
 * PE can't join.
 */
const struct tern_start_error *tern_boot_start_error(void);

/*
 * At the first init, on all PEs: finds out who is on which node. 0, or -errno after the reason has
 * been printed: the launcher is out of reach, or PEs differ where they must not.
 */
int tern_boot_join(const struct tern_boot_request *request);

/*
 * On all PEs, once a job: each publishes a card, which is not all zeros, of TERN_BOOT_CARD_BYTES at
 * most; returns when those of all PEs can be read by tern_boot_card(). 0, or -errno after a
 * message.
 */
int tern_boot_exchange(const void *card, size_t bytes);

/* A PE's card, TERN_BOOT_CARD_BYTES that stay where they are. */
const void *tern_boot_card(int pe);

/* The node's number that a PE is on. */
int tern_boot_node_of(int pe);

/* A PE of the world by its number on this node, or -1. */
static inline int tern_boot_node_pe(const struct tern_boot *boot, int pe)
{
    return tern_pe_range_find(&boot->nodes[boot->node], pe);
}

static inline int tern_boot_world_pe(const struct tern_boot *boot, int node_pe)
{
    return tern_pe_range_world(&boot->nodes[boot->node], node_pe);
}

static inline struct tern_slot *tern_boot_slot(const struct tern_boot *boot, int node_pe)
{
    return boot->slots + (size_t)node_pe * (size_t)boot->slot_stride;
}

/*
 * The PEs whose slots this PE can read: those of its node, or all of the job under oshrun, which
 * starts them on one machine and keeps their slots in one place. There has to be an area.
 */
static inline struct tern_pe_range tern_boot_visible(const struct tern_boot *boot)
{
    if (boot->area->launcher_pid)
        return (struct tern_pe_range){0, 1, boot->n_pes};
    return boot->nodes[boot->node];
}

/* The slot of a PE of the world, or NULL if this PE can't read it. */
static inline struct tern_slot *tern_boot_slot_of(const struct tern_boot *boot, int pe)
{
    int node_pe;

    if (boot->area->launcher_pid)
        return &boot->area->slots[pe];
    node_pe = tern_boot_node_pe(boot, pe);
    return node_pe < 0 ? NULL : tern_boot_slot(boot, node_pe);
}

/*
 * A descriptor of a node's peer's image, to be closed, or -errno; its offset there. Once for each
 * peer: later calls may give -ENOENT.
 */
int tern_boot_open_image(int node_pe, uint64_t *offset);

/* What the launcher sees of this PE. */
void tern_boot_set_phase(enum tern_slot_phase phase);

/* The launcher need not say why this PE ended: it has done so itself. */
void tern_boot_set_told(void);

/* When this process exits with that status: others see that the PE has gone. */
void tern_boot_vacate_slot(int status);

/*
 * For a PE that reports its end, from tern_boot_join() on. One of leave and abort is called, once,
 * by any thread; tern_boot_abort_keeps() by any.
 */

/* This PE ends, and all is well with it. */
void tern_boot_leave(void);

/* Asks the launcher to end the job; may return. */
void tern_boot_abort(int status);

/* Whether the launcher ends with the status of tern_boot_abort(). */
bool tern_boot_abort_keeps(int status);

/*
 * A descriptor that becomes readable or hangs up when the launcher is gone, or -1: the PE then need
 * not look.
 */
int tern_boot_watch_fd(void);

/*
 * For the child of a fork, which is not a PE: whatever it does, the slot is its parent's. Mappings
 * stay: what its pointers lead to remains there, as after any fork.
 */
void tern_boot_forget(void);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* This PE's place in its job: its number, its node, and the memory that the node's PEs share. */
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
 * A node is a range of PEs that share memory: start + i * stride. PEs of one machine whose numbers
 * are no such range form several nodes.
 *
 * tern_boot_attach() fills in the fields up to "node" from the environment alone. A constructor
 * calls it, because static data has to move into shared memory before the program runs.
 * tern_boot_join() fills in the fields under "node".
 */
struct tern_boot {
    int pe;                /* in the job */
    int n_pes;             /* of the job; 0 before tern_boot_join() if the launcher does not say */
    bool forked;           /* this process is the child of a PE's fork, and no PE */
    bool alone;            /* no launcher: a one-PE job, and there is no area */
    bool shares;           /* other PEs may be on this node, so static data has to be shared */
    int image_fd;          /* the object that the image moves to; -1: mem/static_data.c makes one */
    uint64_t image_offset; /* of the image in the object */
    enum tern_exit_report exit_report;

    /* ---- node ---- */
    int node; /* the number of this PE's node */
    int n_nodes;
    const struct tern_pe_range *nodes; /* by number, in the order of their first PEs */
    int node_pe;                       /* this PE on its node */
    int node_n_pes;
    int machine_n_pes; /* PEs on this machine, which may be split into several nodes */
    int system_n_pes;  /* PEs under its kernel, in any container */
    uint64_t memory;   /* bytes for a PE's heap by default: the least share of any machine */
    int fd;            /* the node's shared object, or -1 */
    uint64_t offset;   /* of the node's arena in the object */
    struct tern_job_area *area; /* mapped, or NULL */
    struct tern_slot *slots;    /* of node PE 0; see tern_boot_slot() */
    int slot_stride;
    struct tern_slot *slot; /* this PE's own, or NULL */
    void *object;           /* where PEs that are threads have all of it mapped, else NULL */
};

/*
 * Finds the launcher in the environment and claims this PE's place. A process without a launcher,
 * or whose place another process has claimed, becomes a job of one PE. envp is that of main,
 * because libc may not have set environ yet. Never fails and prints nothing: see
 * tern_boot_start_error(). Further calls return the same.
 */
const struct tern_boot *tern_boot_attach(char *const *envp);

#ifdef TERN_PES_ARE_THREADS
/* Makes the calling thread PE `pe` of n_pes, in place of tern_boot_attach(). */
void tern_boot_be_thread(int pe, int n_pes, int fd, void *object);
#endif

/* What a PE requests of its job; all PEs have to agree on it. */
struct tern_boot_request {
    int split;     /* SHMEM_NODES: how many nodes each machine's PEs form; 0, 1: no split */
    bool cyclic;   /* SHMEM_NODES_CYCLIC: PEs are dealt out to these nodes one by one */
    uint64_t heap; /* SHMEM_SYMMETRIC_SIZE, 0 if it is not set */
    int image_fd;  /* of this PE's image, if it is in an object of its own; else -1 */
};

/*
 * What tern_boot_attach() has found wrong with the launcher's variables. With an error in it the
 * PE can't join.
 */
const struct tern_start_error *tern_boot_start_error(void);

/*
 * At the first init, on all PEs: determines which PEs form which node. 0, or -errno after a
 * message: the launcher is out of reach, or PEs have different settings where they must not.
 */
int tern_boot_join(const struct tern_boot_request *request);

/*
 * On all PEs, once a job: publishes this PE's card, of at most TERN_BOOT_CARD_BYTES bytes that are
 * not all 0. Returns when tern_boot_card() can read the cards of all PEs. 0, or -errno after a
 * message.
 */
int tern_boot_exchange(const void *card, size_t bytes);

/* The TERN_BOOT_CARD_BYTES bytes of a PE's card. The pointer remains valid. */
const void *tern_boot_card(int pe);

/* The number of the node that a PE is on. */
int tern_boot_node_of(int pe);

/* The number on this node of a PE of the world, or -1 if it is on another one. */
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
 * The PEs whose slots this PE can read: those of its node; under oshrun those of the whole job, as
 * oshrun keeps all slots in one area. `area` must not be NULL.
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
 * Opens the image of a PE of this node: a descriptor, which the caller closes, or -errno. *offset
 * is that of the image in the object. A second call for the same PE may return -ENOENT.
 */
int tern_boot_open_image(int node_pe, uint64_t *offset);

/* Writes the phase into this PE's slot, for its launcher and its peers. */
void tern_boot_set_phase(enum tern_slot_phase phase);

/* Notes for the launcher that this PE has printed why it ends. */
void tern_boot_set_reported(void);

/* Notes in this PE's slot that its process exits with this status. */
void tern_boot_vacate_slot(int status);

/*
 * The following three are for PEs that have to report their end, once tern_boot_join() has begun.
 * One thread calls one of tern_boot_leave() and tern_boot_abort(), once.
 */

/* Reports that this PE ends in order. */
void tern_boot_leave(void);

/* Has the launcher end the job; may return. */
void tern_boot_abort(int status);

/* Any thread: whether the job ends with the status of tern_boot_abort(). */
bool tern_boot_abort_keeps(int status);

/*
 * A descriptor for which tern_compat_process_has_ended() reports whether the launcher has ended;
 * negative: this PE need not watch the launcher.
 */
int tern_boot_watch_fd(void);

/*
 * In the child of a fork, which is no PE: the slot remains its parent's. Memory stays mapped, so
 * the child's pointers remain valid, as after any fork.
 */
void tern_boot_forget(void);

#endif

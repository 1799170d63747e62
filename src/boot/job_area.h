/* SPDX-License-Identifier: BSD-3-Clause */
/* The start of a node's shared memory object: what the launcher and the PEs of a node both read. */
#ifndef TERN_BOOT_JOB_AREA_H
#define TERN_BOOT_JOB_AREA_H

#include <inttypes.h>
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/bytes.h"
#include "base/parse_uint.h"

/*
 * The environment variable by which a launcher hands the object to its PEs:
 *
 *     TERN_BOOT=oshrun:FD:PID:KEY
 *
 * FD   the descriptor in the PE (inherited, not close-on-exec; the PE makes it so once it has it)
 * PID  the launcher; where FD was closed by a wrapper, /proc/PID/fd/FD opens the same object
 * KEY  16 hexadecimal digits, equal to tern_job_area.key
 *
 * TERN_PE says which PE of the job the process is. Both are forgotten by a process that loses the
 * claim for its slot: it is then a one-PE job of its own (a program run by a PE through system()).
 */
#define TERN_BOOT_VARIABLE "TERN_BOOT"
#define TERN_BOOT_OSHRUN "oshrun:"

struct tern_job_handle {
    int fd, launcher;
    uint64_t key;
};

/* The variable's value; 64 bytes have room for it. */
static inline void tern_job_handle_write(const struct tern_job_handle *handle, char *words,
                                         size_t bytes)
{
    snprintf(words, bytes, TERN_BOOT_OSHRUN "%d:%d:%016" PRIx64, handle->fd, handle->launcher,
             handle->key);
}

/* False if it makes no sense. Not by sscanf(), which touches five pages of libc. */
static inline bool tern_job_handle_read(const char *words, struct tern_job_handle *handle)
{
    uint64_t fd, launcher;

    if (strncmp(words, TERN_BOOT_OSHRUN, sizeof TERN_BOOT_OSHRUN - 1) != 0)
        return false;
    words += sizeof TERN_BOOT_OSHRUN - 1;
    if (tern_parse_uint_until(&words, 10, ':', INT_MAX, &fd) != 0 ||
        tern_parse_uint_until(&words, 10, ':', INT_MAX, &launcher) != 0 ||
        tern_parse_uint_until(&words, 16, '\0', UINT64_MAX, &handle->key) != 0)
        return false;
    handle->fd = (int)fd;
    handle->launcher = (int)launcher;
    return true;
}

/* For scripts and wrappers, documented to users; the library itself reads TERN_PE only. */
#define TERN_PE_VARIABLE "TERN_PE"
#define TERN_N_PES_VARIABLE "TERN_N_PES"
#define TERN_LOCAL_PE_VARIABLE "TERN_LOCAL_PE"
#define TERN_LOCAL_N_PES_VARIABLE "TERN_LOCAL_N_PES"

#define TERN_JOB_AREA_MAGIC UINT64_C(0x31304e5245544e54)

/* Raised with every change of this file's layout: launcher and library must be of one version. */
#define TERN_JOB_AREA_VERSION 5u

/* Names the process namespace of whoever looks at it. */
#define TERN_OWN_PROCESSES "/proc/self/ns/pid"

/* The most PEs that oshrun starts on a node. Fortran's locks serve fewer, see fortran/lock.c. */
#define TERN_JOB_MAX_PES 65535u

/*
 * File offsets. The object is sparse, so these cost nothing: the area, a card for each PE of the
 * job, then the library's control data and the heaps lie below TERN_IMAGES_OFFSET; those of node j,
 * if the machine is split into several, begin j * TERN_NODE_STRIDE further on. The data image of PE
 * i lies at TERN_IMAGES_OFFSET + i * TERN_IMAGE_STRIDE. The launcher makes the object
 * tern_job_object_size() bytes long and touches only the area itself.
 */
#define TERN_NODE_STRIDE (UINT64_C(1) << 44)
#define TERN_NODES_MOST 64
#define TERN_IMAGES_OFFSET (UINT64_C(1) << 50)
#define TERN_IMAGE_STRIDE (UINT64_C(1) << 36)

enum tern_slot_phase {
    TERN_SLOT_FREE,        /* no process has claimed it yet */
    TERN_SLOT_CLAIMED,     /* a process has; it may still end without having used OpenSHMEM */
    TERN_SLOT_INITIALIZED, /* between shmem_init and the last shmem_finalize */
    TERN_SLOT_FINALIZED,   /* after that; it may initialize again */
};

/*
 * What a PE claims its slot with that lives in another process namespace than the launcher (a
 * sandbox as wrapper): its number means nothing outside.
 */
#define TERN_FOREIGN_PID(pid) (-(pid))

/* One PE, seen from outside. All fields are written by the PE itself with atomic stores. */
struct tern_slot {
    int32_t pid;            /* claimed by compare-and-swap from 0; see TERN_FOREIGN_PID() */
    uint32_t phase;         /* enum tern_slot_phase */
    uint32_t told;          /* nonzero: it has printed why it ends; the launcher adds no line */
    uint32_t exiting;       /* TERN_EXITING | status from when it runs exit(), 0 before */
    uint64_t image_bytes;   /* length of its data image, 0 if its statics are not shared */
    uint64_t waiting_since; /* CLOCK_MONOTONIC ns of falling asleep, 0 while it runs */
    char waiting_in[88];    /* the routine it sleeps in and for whom, for the line about a death */
    int32_t image_fd;       /* the process's descriptor of its data image, 0: it is in the object */
    uint32_t program;       /* tells its executable from others; 0: unknown */
};

/*
 * A wrapper takes the status of the PE that it has started; `exiting` tells the launcher an exit()
 * from a crash. The PE writes it in an on_exit() handler.
 */
#define TERN_EXITING 0x10000u

/* Once a PE has called shmem_global_exit: pe << 9 | TERN_GLOBAL_EXIT | (status & 0xff). */
#define TERN_GLOBAL_EXIT 0x100u
#define TERN_GLOBAL_EXIT_PE_SHIFT 9

#define TERN_HEAP_EXPLICIT 1u

/* The most PEs of a job, on all its nodes: the bits of global_exit are enough for so many. */
#define TERN_JOB_MOST_PES_OF_ALL (1 << (32 - TERN_GLOBAL_EXIT_PE_SHIFT))

#define TERN_COMPLAINED 0x80000000u

struct tern_job_area {
    uint64_t magic;
    uint32_t version;
    uint32_t n_pes; /* of this node; of the job when it has one node */
    uint64_t key;
    int32_t launcher_pid;
    uint32_t global_exit;        /* compare-and-swap from 0: the first caller's status counts */
    uint64_t launcher_processes; /* its process namespace: inode of TERN_OWN_PROCESSES, or 0 */
    /*
     * PEs that ended with status 0, also without having used OpenSHMEM at all. Written by the
     * launcher; read by PEs that have slept for long: a barrier that waits for such a PE will not
     * end.
     */
    uint32_t departed;
    uint32_t last_departed; /* the number of one of them */
    /*
     * The size of the heaps, by compare-and-swap from 0, with TERN_HEAP_EXPLICIT if the user has
     * chosen it. Chosen sizes have to agree; a default is that of the first PE to need one.
     */
    uint64_t heap_bytes;
    /* What all PEs of the machine may use for heaps by default, by compare-and-swap from 0. */
    uint64_t memory;
    /*
     * Cores for all PEs of the node together, before any binding; how they wait depends on it. The
     * launcher writes it; where it has not, the first PE does (compare-and-swap from 0).
     */
    uint64_t cores;
    /*
     * The lifeline: a pipe that hangs up when the launcher ends, however it ends. The PE's process
     * group is born with this descriptor, open to read and armed (F_SETOWN, F_SETSIG(SIGKILL),
     * O_ASYNC), and lives no longer than the launcher as long as one of its processes keeps it. A
     * PE whose wrapper has closed it or has left the group (setsid, gdb) opens
     * /proc/launcher_pid/fd/lifeline_fd with O_RDONLY and arms that for itself; opening makes a
     * description, hence an owner, of its own. 0: there is none.
     */
    int32_t lifeline_fd;
    /*
     * What keeps a PE from starting mostly keeps all: one says it. Its number + 1, by compare-and-
     * swap from 0, and TERN_COMPLAINED when the line is out, which the others wait for.
     */
    uint32_t complaint;
    uint32_t exchanged; /* PEs that have written their cards; counts up, with release */
    uint32_t n_cards;   /* PEs of the job */
    uint32_t loss_told; /* a PE of this node has said who was lost; compare-and-swap from 0 */
    uint32_t warned;    /* of what a PE has warned already: bits of enum tern_dedup_warning */
    struct tern_slot slots[];
};

/* What PEs tell each other about themselves before they can communicate otherwise. */
#define TERN_BOOT_CARD_BYTES 256u

struct tern_boot_card {
    _Alignas(8) unsigned char bytes[TERN_BOOT_CARD_BYTES];
};

_Static_assert(sizeof(struct tern_slot) == 128, "both sides agree on it");

static inline size_t tern_job_area_bytes(uint32_t n_pes)
{
    return sizeof(struct tern_job_area) + n_pes * sizeof(struct tern_slot);
}

/* The cards' place, and where they end: a multiple of every page size. */
#define TERN_HEAD_ALIGNMENT (UINT64_C(2) << 20)

static inline size_t tern_job_cards_offset(uint32_t n_pes)
{
    return tern_bytes_round_up(tern_job_area_bytes(n_pes), 64);
}

static inline uint64_t tern_job_head_bytes(uint32_t n_pes, uint32_t n_cards)
{
    uint64_t end = tern_job_cards_offset(n_pes) + (uint64_t)n_cards * TERN_BOOT_CARD_BYTES;

    return tern_bytes_round_up(end, TERN_HEAD_ALIGNMENT);
}

static inline uint64_t tern_job_object_size(uint32_t n_pes)
{
    return TERN_IMAGES_OFFSET + n_pes * TERN_IMAGE_STRIDE;
}

#endif

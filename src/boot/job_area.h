/* SPDX-License-Identifier: BSD-3-Clause */
/* The start of a node's shared memory object, which the launcher and the node's PEs read. */
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
 * PID  the launcher; if a wrapper has closed FD, /proc/PID/fd/FD opens the same object
 * KEY  16 hexadecimal digits, equal to tern_job_area.key
 *
 * TERN_PE is the process's number in the job. A process that finds its slot claimed ignores both
 * and is a job of one PE: it is a program that a PE runs through system(), for example.
 */
#define TERN_BOOT_VARIABLE "TERN_BOOT"
#define TERN_BOOT_OSHRUN "oshrun:"

struct tern_job_handle {
    int fd, launcher;
    uint64_t key;
};

/* Writes the variable's value, at most 64 bytes. */
static inline void tern_job_handle_write(const struct tern_job_handle *handle, char *words,
                                         size_t bytes)
{
    snprintf(words, bytes, TERN_BOOT_OSHRUN "%d:%d:%016" PRIx64, handle->fd, handle->launcher,
             handle->key);
}

/* Reads it; false if it is malformed. sscanf() would touch five pages of libc. */
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

/* Documented, for scripts and wrappers; the library itself reads TERN_PE only. */
#define TERN_PE_VARIABLE "TERN_PE"
#define TERN_N_PES_VARIABLE "TERN_N_PES"
#define TERN_LOCAL_PE_VARIABLE "TERN_LOCAL_PE"
#define TERN_LOCAL_N_PES_VARIABLE "TERN_LOCAL_N_PES"

#define TERN_JOB_AREA_MAGIC UINT64_C(0x31304e5245544e54)

/* Grows with every change of the layout: the launcher and the library must have the same. */
#define TERN_JOB_AREA_VERSION 7u

/* Its inode identifies the process namespace of the reader. */
#define TERN_OWN_PROCESSES "/proc/self/ns/pid"

/* The most PEs that oshrun starts on a node. Fortran's locks serve fewer, see fortran/lock.c. */
#define TERN_JOB_MAX_PES 65535u

/*
 * File offsets. The object is sparse, so distances cost nothing. The area, a card for each PE of
 * the job, the library's control data and the heaps lie below TERN_IMAGES_OFFSET. If the machine is
 * split into several nodes, the data and heaps of node j begin j * TERN_NODE_STRIDE further on. The
 * image of PE i lies at TERN_IMAGES_OFFSET + i * TERN_IMAGE_STRIDE. The launcher makes the object
 * tern_job_object_size() bytes long and touches only the area.
 */
#ifndef TERN_NODE_STRIDE /* tests with many nodes in one address space have a shorter one */
#define TERN_NODE_STRIDE (UINT64_C(1) << 44)
#endif
#define TERN_NODES_MOST 512
#define TERN_IMAGES_OFFSET (TERN_NODES_MOST * TERN_NODE_STRIDE)
#define TERN_IMAGE_STRIDE (UINT64_C(1) << 36)

enum tern_slot_phase {
    TERN_SLOT_FREE,        /* no process has claimed it yet */
    TERN_SLOT_CLAIMED,     /* a process has; it may still end without having used OpenSHMEM */
    TERN_SLOT_INITIALIZED, /* between shmem_init and the last shmem_finalize */
    TERN_SLOT_FINALIZED,   /* after that; it may initialize again */
};

/*
 * The number by which a PE claims its slot if it is in another process namespace than the launcher,
 * in a sandbox for example: its own number has no meaning outside.
 */
#define TERN_FOREIGN_PID(pid) (-(pid))

/* What others can see of a PE, which writes all fields itself with atomic stores. */
struct tern_slot {
    int32_t pid;            /* claimed by compare-and-swap from 0; see TERN_FOREIGN_PID() */
    uint32_t phase;         /* enum tern_slot_phase */
    uint32_t reported;      /* nonzero: it has printed why it ends, so the launcher adds no line */
    uint32_t exiting;       /* TERN_EXITING | status once it runs exit(); 0 before */
    uint64_t image_bytes;   /* length of its image, 0 if its static data is not shared */
    uint64_t waiting_since; /* when it fell asleep, in ns of CLOCK_MONOTONIC; 0 while it runs */
    char waiting_in[88];    /* the routine it sleeps in, for the launcher's line */
    int32_t image_fd;       /* the process's descriptor of its image, 0: it is in the object */
    uint32_t program;       /* from the executable's build ID; 0: unknown */
};

/*
 * A wrapper hides from the launcher how its PE ended. By `exiting`, which the PE writes in an
 * on_exit() handler, the launcher can tell an exit() from a crash.
 */
#define TERN_EXITING 0x10000u

/* Once a PE has called shmem_global_exit: pe << 9 | TERN_GLOBAL_EXIT | (status & 0xff). */
#define TERN_GLOBAL_EXIT 0x100u
#define TERN_GLOBAL_EXIT_PE_SHIFT 9

#define TERN_HEAP_EXPLICIT 1u

/* The most PEs of a job on all nodes: global_exit has bits for as many. */
#define TERN_JOB_MOST_PES_OF_ALL (1 << (32 - TERN_GLOBAL_EXIT_PE_SHIFT))

#define TERN_COMPLAINED 0x80000000u

/* PEs of a machine print at most so many backtraces that differ. */
#define TERN_JOB_BACKTRACES 4

/* A backtrace, which one of the PEs that crash alike prints. */
struct tern_job_backtrace {
    /* A hash of the calls, and below TERN_JOB_BACKTRACE_PE the PE; by compare-and-swap from 0. */
    uint64_t claim;
    uint64_t printed; /* 1 once the PE has printed it */
};

/* The number of the PE that prints, + 1. */
#define TERN_JOB_BACKTRACE_PE ((UINT64_C(1) << 24) - 1)

struct tern_job_area {
    uint64_t magic;
    uint32_t version;
    uint32_t n_pes; /* of this node; under oshrun of the job */
    uint64_t key;
    int32_t launcher_pid;
    uint32_t global_exit;        /* by compare-and-swap from 0: the first caller's status counts */
    uint64_t launcher_processes; /* its process namespace: inode of TERN_OWN_PROCESSES, or 0 */
    /*
     * Counts PEs that ended with status 0, with or without having used OpenSHMEM. oshrun writes it,
     * or under other launchers the PE itself. PEs that have slept for long read it: a barrier that
     * waits for such a PE does not end.
     */
    uint32_t departed;
    uint32_t last_departed; /* the number of one of them */
    /*
     * The size of the heaps, by compare-and-swap from 0, with TERN_HEAP_EXPLICIT if the user has
     * chosen it. Chosen sizes must be equal; the first PE that needs a default determines it.
     */
    uint64_t heap_bytes;
    /* What all PEs of the machine may use for heaps by default, by compare-and-swap from 0. */
    uint64_t memory;
    /*
     * Cores for all PEs of the node together, before any binding; how PEs wait depends on it. The
     * launcher writes it; if it has not, the first PE does, by compare-and-swap from 0.
     */
    uint64_t cores;
    /*
     * The lifeline: a pipe that hangs up when the launcher ends, however it ends. Each PE's process
     * group inherits this descriptor, open to read and armed (F_SETOWN, F_SETSIG(SIGKILL),
     * O_ASYNC). While one of its processes keeps it open, the group ends with the launcher. If a
     * wrapper has closed it or changed the group (setsid, gdb), the PE opens
     * /proc/launcher_pid/fd/lifeline_fd with O_RDONLY and arms that for itself: opening makes a new
     * description, which has an owner of its own. 0: there is none.
     */
    int32_t lifeline_fd;
    /*
     * An error that keeps one PE from starting mostly keeps all of them: one prints it. This is its
     * number + 1, by compare-and-swap from 0, with TERN_COMPLAINED once it has printed the line,
     * which the others wait for.
     */
    uint32_t complaint;
    uint32_t exchanged;     /* PEs that have written their cards; counts up, with release */
    uint32_t n_cards;       /* PEs of the job */
    uint32_t loss_reported; /* a PE of this node prints who was lost; by compare-and-swap from 0 */
    uint32_t warned;        /* warnings that were printed: bits by enum tern_dedup_warning */
    struct tern_job_backtrace backtraces[TERN_JOB_BACKTRACES];
    struct tern_slot slots[];
};

/* What peers need to reach a PE over the network. */
#define TERN_BOOT_CARD_BYTES 256u

struct tern_boot_card {
    _Alignas(8) unsigned char bytes[TERN_BOOT_CARD_BYTES];
};

_Static_assert(sizeof(struct tern_slot) == 128, "launcher and library agree on it");

static inline size_t tern_job_area_bytes(uint32_t n_pes)
{
    return sizeof(struct tern_job_area) + n_pes * sizeof(struct tern_slot);
}

/* Where the cards begin, and where they end: at a multiple of every page size. */
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

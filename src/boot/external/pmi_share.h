/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One PMI socket for two libraries. Hydra lets each of them introduce itself, but Slurm answers one
 * introduction a socket: the second library gets a socket of ours in its place.
 */
#ifndef TERN_BOOT_EXTERNAL_PMI_SHARE_H
#define TERN_BOOT_EXTERNAL_PMI_SHARE_H

#include <stdbool.h>

#include "boot/external/pmi_wire.h"

enum tern_pmi_mpi {
    TERN_PMI_NO_MPI, /* in this program */
    TERN_PMI_MPI_TO_COME,
    TERN_PMI_MPI_RUNS,
    TERN_PMI_MPI_FINALIZED,
};

enum tern_pmi_mpi tern_pmi_share_find_mpi(void);

/* The version of PMI that the program's MPI speaks. */
int tern_pmi_share_version(void);

/*
 * Keeps the wire for this library and puts another socket at its number: what comes there is passed
 * on to the wire, but for introductions and farewells. The process's place is claimed for it, too.
 * 0, or -errno.
 */
int tern_pmi_share_begin(struct tern_pmi_wire *wire);

#endif

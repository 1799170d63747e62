/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One PMI socket for Tern and MPI. Hydra lets both introduce themselves. Slurm answers one
 * introduction for each socket, so MPI gets another socket, and Tern relays what comes there.
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
 * Moves the wire to another descriptor, and puts a new socket at the old number, for MPI. A thread
 * relays commands from there to the wire; it answers introductions and farewells itself. Takes the
 * PE lock for the new socket as well. 0, or -errno.
 */
int tern_pmi_share_begin(struct tern_pmi_wire *wire);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* Recognizes launchers by variables that they set even if they offer no PMI. */
#include "boot/misuse_hint.h"

#include <limits.h>
#include <stdio.h>

#include "base/log.h"
#include "boot/job_area.h"
#include "boot/text.h"

static const struct {
    const char *copies, *number; /* variables */
    const char *launcher, *remedy;
} hints[] = {
    {"SLURM_STEP_NUM_TASKS", "SLURM_PROCID", "srun", "use srun --mpi=pmi2 or srun --mpi=pmix"},
    {"OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK", "mpirun",
     "is its PMIx disabled, or does a wrapper take PMIX_* out of the environment?"},
    {"PMI_SIZE", "PMI_RANK", "mpiexec", "does a wrapper take PMI_FD out of the environment?"},
};

/* The value of a variable that is a number; 0 if it is not. */
static int number_of(char *const *envp, const char *name)
{
    const char *text = tern_text_find(envp, name);
    int number = 0;

    return text && tern_text_number(text, INT_MAX, &number) ? number : 0;
}

void tern_misuse_hint_find(char *const *envp, struct tern_start_error *start_error)
{
    if (tern_text_find(envp, TERN_BOOT_VARIABLE) || start_error->error[0] ||
        start_error->warning[0])
        return;
    for (size_t i = 0; i < sizeof hints / sizeof hints[0]; i++) {
        int copies = number_of(envp, hints[i].copies);

        if (copies > 1 && tern_text_find(envp, hints[i].number) &&
            number_of(envp, hints[i].number) == 0)
            snprintf(start_error->warning, sizeof start_error->warning,
                     "%s has started %d copies of this program, each of which is a job of its own: "
                     "%s" TERN_SEE("One PE each"),
                     hints[i].launcher, copies, hints[i].remedy);
    }
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The result of the job, in symmetric memory that is allocated at the start: at the end, PEs may be
 * in different calls, and the library would report an allocation that the program has not made.
 */
#include "tools/check/report/result.h"

#include <shmem.h>

#include "tools/check/report/findings.h"
#include "tools/check/shared/identity.h"

struct notes {
    long mistaken;  /* a PE has made a mistake; read on PE 0 */
    long early_end; /* some PEs end OpenSHMEM before others do */
};

static struct notes *notes; /* NULL if there was no room for it */
static bool is_open;

/* The library frees the block when it ends. */
void tern_check_result_open(void)
{
    is_open = true;
    notes = tern_has("shmem_malloc") ? TERN_REAL(shmem_malloc)(sizeof *notes) : NULL;
    if (!notes)
        return;
    *notes = (struct notes){0, 0};
    TERN_REAL(shmem_barrier_all)(); /* before another PE notes anything here */
}

static void note(long *word, int pe)
{
    const long yes = 1;

    TERN_REAL(shmem_long_put)(word, &yes, 1, pe);
}

void tern_check_result_note_early_end(void)
{
    if (!notes)
        return;
    for (int pe = 0; pe < tern_check_n_pes(); pe++)
        note(&notes->early_end, pe);
    TERN_REAL(shmem_quiet)();
}

void tern_check_result_note_exit(void)
{
    if (notes)
        __atomic_store_n(&notes->early_end, 1, __ATOMIC_RELAXED); /* read by this PE only */
}

/* Another PE may write it at any time. */
static bool is_noted(const long *word)
{
    return __atomic_load_n(word, __ATOMIC_ACQUIRE) != 0; /* partner: the put of another PE */
}

void tern_check_result_print(bool with_races)
{
    if (!is_open) /* the program was initialized by an extension, which the check does not see */
        tern_check_result_open();
    is_open = false; /* the library may be initialized again */
    if (notes && is_noted(&notes->early_end)) {
        tern_check_findings_summarize_others();
        return;
    }
    if (notes && tern_check_findings_count() > 0)
        note(&notes->mistaken, 0);
    TERN_REAL(shmem_barrier_all)(); /* all PEs have posted how many mistakes they made */
    tern_check_findings_summarize_others();
    if (notes && tern_check_my_pe() == 0 && !is_noted(&notes->mistaken) &&
        !is_noted(&notes->early_end))
        tern_check_findings_print(
            "check: no mistake was found on any of %d PEs\n%s", tern_check_n_pes(),
            with_races ? "check: the program's own loads and stores are not checked; "
                         "--chaos can expose their races\n"
                       : "");
}

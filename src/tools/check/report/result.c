/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The result of the job, in symmetric memory that is allocated at the start: at the end, PEs may be
 * in different calls, and the library would report an allocation that the program has not made.
 */
#include "tools/check/report/result.h"

#include <errno.h>
#include <shmem.h>
#include <signal.h>

#include "tools/check/report/findings.h"
#include "tools/check/shared/identity.h"

struct notes {
    long mistaken;  /* a PE has made a mistake; read on PE 0 */
    long early_end; /* some PEs end OpenSHMEM before others do */
};

static struct notes *notes; /* NULL if there was no room for it */
static bool is_open;

/* The end of the job's PEs is seen on a board. */
static struct tern_check_board *board;
static struct tern_check_slot *slot;

/* The library frees the block when it ends. */
static void open_notes(void)
{
    is_open = true;
    notes = tern_has("shmem_malloc") ? TERN_REAL(shmem_malloc)(sizeof *notes) : NULL;
    if (!notes)
        return;
    *notes = (struct notes){0, 0};
    TERN_REAL(shmem_barrier_all)(); /* before another PE notes anything here */
}

void tern_check_result_open(struct tern_check_board *its_board, struct tern_check_slot *its_slot)
{
    board = its_board;
    slot = its_slot;
    if (board && tern_check_my_pe() == 0) /* the library may be initialized again */
        __atomic_store_n(&board->verdict, VERDICT_NONE, __ATOMIC_RELAXED);
    open_notes();
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

static void print_verdict(enum tern_check_verdict verdict)
{
    tern_check_findings_print("check: no mistake was found on any of %d PEs\n%s",
                              tern_check_n_pes(),
                              verdict == VERDICT_CLEAN_WITHOUT_ACCESSES
                                  ? "check: the program's own loads and stores are not checked; "
                                    "`oshcc --tern-instrument` makes them visible\n"
                                  : "");
}

void tern_check_result_print(bool misses_accesses)
{
    enum tern_check_verdict verdict;

    if (!is_open) /* the program was initialized by an extension, which the check does not see */
        open_notes();
    is_open = false; /* the library may be initialized again */
    if (notes && is_noted(&notes->early_end)) {
        tern_check_findings_summarize_others();
        return;
    }
    if (notes && tern_check_findings_has_any())
        note(&notes->mistaken, 0);
    TERN_REAL(shmem_barrier_all)(); /* all PEs have posted how many mistakes they made */
    tern_check_findings_summarize_others();
    if (!notes || tern_check_my_pe() != 0 || is_noted(&notes->mistaken) ||
        is_noted(&notes->early_end))
        return;
    verdict = misses_accesses ? VERDICT_CLEAN_WITHOUT_ACCESSES : VERDICT_CLEAN;
    if (board) /* partner: tern_check_result_exit() */
        __atomic_store_n(&board->verdict, verdict, __ATOMIC_RELEASE);
    else
        print_verdict(verdict);
}

/* ---- the end ---- */

/* The PE has come to its exit handlers, or its process has ended without them. */
static bool is_gone(const struct tern_check_slot *its)
{
    return __atomic_load_n(&its->is_done, __ATOMIC_ACQUIRE) ||
           (__atomic_load_n(&its->state, __ATOMIC_RELAXED) == SLOT_FINALIZED &&
            kill(its->pid, 0) != 0 && errno == ESRCH);
}

static bool all_are_gone(void)
{
    for (int i = 0; i < board->n_slots; i++)
        if (!is_gone(&board->slots[i]))
            return false;
    return true;
}

void tern_check_result_exit(void)
{
    enum tern_check_verdict verdict;

    if (!board)
        return;
    if (tern_check_findings_has_any())
        __atomic_store_n(&board->is_mistaken, 1, __ATOMIC_RELAXED);
    /* Release: whoever sees it sees is_mistaken. If two PEs end at once, one sees the other. */
    __atomic_store_n(&slot->is_done, 1, __ATOMIC_SEQ_CST);
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    if (!all_are_gone() || __atomic_load_n(&board->is_mistaken, __ATOMIC_RELAXED))
        return;
    verdict = __atomic_exchange_n(&board->verdict, VERDICT_NONE, __ATOMIC_ACQ_REL);
    if (verdict != VERDICT_NONE)
        print_verdict(verdict);
}

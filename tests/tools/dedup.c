/* SPDX-License-Identifier: BSD-3-Clause */
/* Which of several processes prints a mistake if the one that claimed it ends, fails or stops. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tools/check/report/dedup.h"
#include "tools/clock.h"
#include "unit/unit.h"

enum { SLOTS = 5, OWNER = SLOTS - 1 };

#define MS UINT64_C(1000000)

const struct tern_routine tern_routines[1] = {{.name = "shmem_long_p"}};
static const struct tern_call call = {.routine = tern_routines};

/* The result of each slot: whether it has to print, and the entry that counts the mistake. */
struct outcome {
    bool prints;
    int number;
};

static struct tern_check_board *board;
static struct outcome *outcomes;

/* All calls are at one site. */
void tern_check_portable_location_of(const void *site,
                                     struct tern_check_portable_location *location)
{
    *location = (struct tern_check_portable_location){.offset = 1};
}

void tern_check_board_add_pes(const struct tern_check_board *its_board, const bool *has_pe,
                              char *text, size_t size)
{
    int n = 0;

    for (int i = 0; i < its_board->n_slots; i++)
        n += has_pe[i];
    snprintf(text, size, "%d", n);
}

static void *share(size_t size)
{
    void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

    CHECK(memory != MAP_FAILED);
    return memory;
}

static void begin(void)
{
    memset(board, 0, sizeof *board + SLOTS * sizeof board->slots[0]);
    board->n_slots = SLOTS;
}

static void claim(int slot, const char *text)
{
    tern_check_dedup_open(board, &board->slots[slot]);
    outcomes[slot].prints = tern_check_dedup_claim(1, &call, NULL, text, &outcomes[slot].number);
}

/* Starts a process for the slot, which makes the mistake and then calls a function. */
static pid_t start(int slot, const char *text, void (*then)(void))
{
    pid_t pid = fork();

    CHECK(pid >= 0);
    if (pid == 0) {
        board->slots[slot].pid = (int32_t)getpid();
        claim(slot, text);
        then();
        _exit(0);
    }
    return pid;
}

static void nothing(void)
{
}

static void finish(void)
{
    for (int i = 0; i < SLOTS; i++)
        if (board->slots[i].pid == getpid())
            tern_check_dedup_finish(outcomes[i].prints ? outcomes[i].number : -1, true);
}

static void fail_to_print(void)
{
    tern_check_dedup_finish(outcomes[OWNER].number, false);
}

/* Until it is killed. */
static void wait_for_ever(void)
{
    for (;;)
        pause();
}

static void be_killed(void)
{
    usleep(300000);
    raise(SIGKILL);
}

static void run(int slot, const char *text, void (*then)(void))
{
    waitpid(start(slot, text, then), NULL, 0);
}

/* All other slots make the owner's mistake at once: one of them prints it. Returns milliseconds. */
static uint64_t let_others(void)
{
    uint64_t begun = tern_clock_ns();
    pid_t others[OWNER];
    int n = 0;

    for (int i = 0; i < OWNER; i++)
        others[i] = start(i, "one", finish);
    for (int i = 0; i < OWNER; i++)
        waitpid(others[i], NULL, 0);
    for (int i = 0; i < OWNER; i++) {
        n += outcomes[i].prints;
        CHECK(outcomes[i].number == 0);
    }
    CHECK(n == 1);
    return (tern_clock_ns() - begun) / MS;
}

static void nobody_printed(void)
{
    begin();
    CHECK(let_others() < 1000);
}

static void owner_has_ended(void)
{
    begin();
    run(OWNER, "one", nothing);
    CHECK(outcomes[OWNER].prints && outcomes[OWNER].number == 0);
    CHECK(let_others() < 1000);
}

/* No process waits for this one, so no zombie of it remains. */
static void owner_is_killed(void)
{
    begin();
    signal(SIGCHLD, SIG_IGN);
    start(OWNER, "one", be_killed);
    while (!__atomic_load_n(&board->dedup[0].word, __ATOMIC_ACQUIRE))
        usleep(1000);
    CHECK(let_others() < 1500);
    signal(SIGCHLD, SIG_DFL);
}

/* It has not filled in the entry. */
static void owner_had_claimed_only(void)
{
    begin();
    run(OWNER, "two", nothing);
    board->dedup[0].word = (board->dedup[0].word & ~7U) | DEDUP_CLAIMED;
    CHECK(let_others() < 1000);
}

static void owner_has_failed(void)
{
    begin();
    run(OWNER, "one", fail_to_print);
    CHECK(let_others() < 1000);
}

/* It is alive, so others have to wait until it takes too long. */
static void owner_is_stopped(void)
{
    pid_t owner;

    begin();
    owner = start(OWNER, "one", wait_for_ever);
    while ((__atomic_load_n(&board->dedup[0].word, __ATOMIC_ACQUIRE) & 7) < DEDUP_PRINTING)
        usleep(1000);
    CHECK(let_others() < 5000);
    kill(owner, SIGTERM);
    waitpid(owner, NULL, 0);
}

/* A child does not use the board, and prints what it finds. */
static void child_of_owner(void)
{
    int status;
    pid_t pid;

    begin();
    board->slots[0].pid = (int32_t)getpid();
    claim(0, "one");
    CHECK(outcomes[0].prints && outcomes[0].number == 0);
    pid = fork();
    if (pid == 0) {
        int number;

        tern_check_dedup_finish(0, true);
        tern_check_dedup_count(0, 5);
        _exit(!tern_check_dedup_claim(1, &call, NULL, "two", &number) || number >= 0);
    }
    waitpid(pid, &status, 0);
    CHECK(status == 0 && board->slots[0].made[0] == 0);
    CHECK((board->dedup[0].word & 7) == DEDUP_PRINTING && board->dedup[1].word == 0);
}

int main(void)
{
    board = share(sizeof *board + SLOTS * sizeof board->slots[0]);
    outcomes = share(SLOTS * sizeof *outcomes);
    nobody_printed();
    owner_has_ended();
    owner_is_killed();
    owner_had_claimed_only();
    owner_has_failed();
    owner_is_stopped();
    child_of_owner();
    return 0;
}

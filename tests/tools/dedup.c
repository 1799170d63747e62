/* SPDX-License-Identifier: BSD-3-Clause */
/* Which of several processes tells a mistake, if the one that has begun to comes to an end. */
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

enum { SLOTS = 5, TELLER = SLOTS - 1 };

#define MS UINT64_C(1000000)

const struct tern_routine tern_routines[1] = {{.name = "shmem_long_p"}};
static const struct tern_call call = {.routine = tern_routines};

/* What the slots come to: whether they have to tell, and what counts it. */
struct outcome {
    bool tells;
    int number;
};

static struct tern_check_board *board;
static struct outcome *outcomes;

/* All calls are at one place. */
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
    outcomes[slot].tells = tern_check_dedup_claim(1, &call, NULL, text, &outcomes[slot].number);
}

/* A process for the slot, which makes a mistake and then does what is asked for. */
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

static void say(void)
{
    for (int i = 0; i < SLOTS; i++)
        if (board->slots[i].pid == getpid())
            tern_check_dedup_finish(outcomes[i].tells ? outcomes[i].number : -1, true);
}

static void fail_to_say(void)
{
    tern_check_dedup_finish(outcomes[TELLER].number, false);
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

/* All other slots make the teller's mistake at once: one of them tells it. In milliseconds. */
static uint64_t let_others(void)
{
    uint64_t begun = tern_clock_ns();
    pid_t others[TELLER];
    int n = 0;

    for (int i = 0; i < TELLER; i++)
        others[i] = start(i, "one", say);
    for (int i = 0; i < TELLER; i++)
        waitpid(others[i], NULL, 0);
    for (int i = 0; i < TELLER; i++) {
        n += outcomes[i].tells;
        CHECK(outcomes[i].number == 0);
    }
    CHECK(n == 1);
    return (tern_clock_ns() - begun) / MS;
}

static void nobody_told(void)
{
    begin();
    CHECK(let_others() < 1000);
}

static void teller_has_ended(void)
{
    begin();
    run(TELLER, "one", nothing);
    CHECK(outcomes[TELLER].tells && outcomes[TELLER].number == 0);
    CHECK(let_others() < 1000);
}

/* Nobody here sees the end of this one: there is nothing left of it at once. */
static void teller_is_killed(void)
{
    begin();
    signal(SIGCHLD, SIG_IGN);
    start(TELLER, "one", be_killed);
    while (!__atomic_load_n(&board->dedup[0].word, __ATOMIC_ACQUIRE))
        usleep(1000);
    CHECK(let_others() < 1500);
    signal(SIGCHLD, SIG_DFL);
}

/* It has not even said what it was about to tell. */
static void teller_was_nameless(void)
{
    begin();
    run(TELLER, "two", nothing);
    board->dedup[0].word = (board->dedup[0].word & ~7U) | DEDUP_CLAIMED;
    CHECK(let_others() < 1000);
}

static void teller_has_failed(void)
{
    begin();
    run(TELLER, "one", fail_to_say);
    CHECK(let_others() < 1000);
}

/* It lives, so that only time tells. */
static void teller_is_stopped(void)
{
    pid_t teller;

    begin();
    teller = start(TELLER, "one", wait_for_ever);
    while ((__atomic_load_n(&board->dedup[0].word, __ATOMIC_ACQUIRE) & 7) < DEDUP_PRINTING)
        usleep(1000);
    CHECK(let_others() < 5000);
    kill(teller, SIGTERM);
    waitpid(teller, NULL, 0);
}

/* It has the board no more, and tells what it finds. */
static void child_of_teller(void)
{
    int status;
    pid_t pid;

    begin();
    board->slots[0].pid = (int32_t)getpid();
    claim(0, "one");
    CHECK(outcomes[0].tells && outcomes[0].number == 0);
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
    nobody_told();
    teller_has_ended();
    teller_is_killed();
    teller_was_nameless();
    teller_has_failed();
    teller_is_stopped();
    child_of_teller();
    return 0;
}

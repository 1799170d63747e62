/* SPDX-License-Identifier: BSD-3-Clause */
/* The loss of a peer: all PEs are notified, and no PE waits for it. */
#include <signal.h>
#include <unistd.h>

#include "net/subjects.h"

void test_lost(void)
{
    uint64_t value = 1, fetched = 7;
    int gone = rig_n_pes - 1;

    rig_expect_death(gone);
    rig_net->amo(NULL, TERN_NET_ADD, 8, rig_offset(rig_heap + 64), 1, 0, &fetched, next_pe());
    rig_meet();
    if (rig_pe == gone)
        raise(SIGKILL);
    if (rig_pe == 0) {
        double start = rig_now();

        while (!tern_load_acquire(&rig_lost) && rig_now() - start < 8) {
            rig_net->put(NULL, rig_offset(rig_heap + 1024), &value, 8, gone);
            rig_net->quiet(NULL);
            rig_net->get(NULL, &value, rig_offset(rig_heap + 1024), 8, gone);
            rig_net->amo(NULL, TERN_NET_ADD, 8, rig_offset(rig_heap + 64), 1, 0, &fetched, gone);
        }
        CHECK(rig_lost == 1 && (int)rig_lost_pe == gone, "PE %d is not missed", gone);
        CHECK(rig_net->reaches(gone) != 0, "it is said to be there");
        rig_net->amo(NULL, TERN_NET_ADD, 8, rig_offset(rig_heap + 64), 1, 0, &fetched, gone);
        rig_net->put_nbi(NULL, rig_offset(rig_heap + 1024), &value, 8, gone);
        rig_net->put_signal(NULL, 0, NULL, 0, rig_offset(rig_heap + 64), 1, TERN_NET_ADD, true,
                            gone);
        rig_net->quiet(NULL);
        rig_net->amo(NULL, TERN_NET_ADD, 8, rig_offset(rig_heap + 64), 1, 0, &fetched,
                     1); /* others work */
        CHECK(fetched == (rig_n_pes > 2 ? 1 : fetched), "PE 1 has %lu", fetched);
    }
    rig_meet_without(gone);
}

/* The same, with operations that the loss leaves unanswered. */
void test_lost_waiting(void)
{
    uint64_t fetched = 7;
    int gone = rig_n_pes - 1;
    pid_t *pid = (pid_t *)rig_board;

    rig_expect_death(gone);
    rig_net->amo(NULL, TERN_NET_ADD, 8, rig_offset(rig_heap + 64), 1, 0, &fetched, next_pe());
    if (rig_pe == gone)
        *pid = getpid();
    rig_meet();
    if (rig_pe == gone) {
        raise(SIGSTOP); /* it takes requests no more, but its host acknowledges them */
        _exit(1);
    }
    if (rig_pe == 0) {
        usleep(100000);
        if (fork() == 0) {
            usleep(300000);
            kill(*pid, SIGKILL);
            _exit(0);
        }
        rig_net->put_nbi(NULL, rig_offset(rig_heap + 1024), &fetched, 8, gone);
        rig_net->amo(NULL, TERN_NET_ADD, 8, rig_offset(rig_heap + 64), 1, 0, &fetched, gone);
        rig_net->quiet(NULL);
        CHECK(rig_lost == 1, "PE %d is not missed", gone);
    }
    rig_meet_without(gone);
}

/* One that is gone before anybody has spoken to it. */
void test_lost_early(void)
{
    uint64_t value = 7;
    int gone = rig_n_pes - 1;

    rig_expect_death(gone);
    rig_meet();
    if (rig_pe == gone)
        raise(SIGKILL);
    usleep(200000);
    if (rig_pe == 0) {
        rig_net->amo(NULL, TERN_NET_ADD, 8, rig_offset(rig_heap + 64), 1, 0, &value, gone);
        CHECK(rig_lost == 1, "PE %d is not missed by an AMO", gone);
    } else {
        rig_net->put(NULL, rig_offset(rig_heap + 1024), &value, 8, gone);
        rig_net->quiet(NULL);
        CHECK(rig_lost == 1, "PE %d is not missed by a put", gone);
    }
    rig_meet_without(gone);
}

# SPDX-License-Identifier: BSD-3-Clause
"""Signals to oshrun reach its PEs."""
import os
import re
import signal
import subprocess
import time

from launch import Job, OSHRUN, check, contains, equal, main, wait_until


def default_of_quit():
    """Shells start what runs in the background with the signal ignored."""
    signal.signal(signal.SIGQUIT, signal.SIG_DFL)


def ready(n, script, *options, **more):
    job = Job("-n", n, *options, "sh", "-c", script, **more)
    job.read_until("ready\n" * n)
    return job


def test_terminating_signals():
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT):
        job = ready(2, "ulimit -c 0; echo ready; sleep 60; :")
        job.wait_for_command("sleep", 2)
        job.process.send_signal(number)
        equal(job.finish(seconds=3).status, 128 + number)
        equal(job.err.replace("Quit\n", ""), "")
        job.expect_gone(0.2)


def test_table_of_calls():
    """SIGQUIT prints what the PEs of an OpenSHMEM job do, and a second one ends it."""
    job = Job("-n", 3, os.environ["SHMEM_PE"], "init", "0:compute", "barrier",
              preexec_fn=default_of_quit)
    time.sleep(1)
    job.process.send_signal(signal.SIGQUIT)
    time.sleep(0.5)
    check(job.process.poll() is None)
    job.process.send_signal(signal.SIGQUIT)
    job.finish(seconds=5)
    equal(job.status, 128 + signal.SIGQUIT)
    table = re.search(r"after [\d.]+ s; again within 2 s, Ctrl-\\ \(SIGQUIT\) goes to the PEs:\n"
                      r"((?:    .*\n)+)", job.err)
    check(table, job.err)
    rows = sorted(line.split(None, 2) for line in table[1].splitlines())
    equal([row[:2] for row in rows], [["PE", "0"], ["PEs", "1-2"]], job.err)
    equal(rows[0][2], "computing")
    check(re.fullmatch(r"waiting in shmem_barrier_all for (0\.[3-9]|[1-9]\.\d)( to [\d.]+)? s", rows[1][2]),
          rows)
    equal(job.err.count("goes to the PEs"), 1, job.err)


def test_pes_clean_up():
    script = "trap 'echo cleaned; exit 0' TERM; echo ready; while :; do sleep 0.02; done"
    job = ready(2, script)
    job.process.send_signal(signal.SIGTERM)
    job.finish(seconds=3)
    equal((job.status, job.out), (0, "cleaned\n" * 2))


def test_one_pe_takes_its_time():
    """PEs that outlive the first one get a few seconds."""
    script = ("trap '[ $TERN_PE = 1 ] && sleep 0.4 && echo saved; exit 3' TERM; echo ready;"
              "while :; do sleep 0.02; done")
    job = ready(2, script)
    job.process.send_signal(signal.SIGTERM)
    job.finish(seconds=5)
    equal((job.status, job.out), (3, "saved\n"))


def test_second_interrupt():
    job = ready(2, "trap '' INT; echo ready; while :; do sleep 1; done")
    job.process.send_signal(signal.SIGINT)
    time.sleep(0.1)
    check(job.process.poll() is None)
    check(len(job.pids()) >= 2)
    job.process.send_signal(signal.SIGINT)
    equal(job.finish(seconds=2).status, 130)
    job.expect_gone(0.2)


def test_user_signals():
    script = ("trap 'echo one' USR1; trap 'echo two; exit 0' USR2; echo ready;"
              "while :; do sleep 0.02; done")
    job = ready(2, script)
    job.process.send_signal(signal.SIGUSR1)
    job.read_until("one\none\n")
    job.process.send_signal(signal.SIGUSR2)
    job.finish(seconds=3)
    equal((job.status, job.out), (0, "two\ntwo\n"))


def test_while_pes_start():
    for delay in (0.005, 0.02):
        job = Job("-n", 200, "sleep", "60")
        time.sleep(delay)
        job.process.send_signal(signal.SIGINT)
        wait_until(lambda: job.process.poll() is not None, 5, "oshrun to end")
        check(job.finish().status in (130, -2), job.status)
        job.expect_gone(0.2)


def test_ignored_as_it_came():
    """Under nohup, or in the background of a script, the signal is ignored by all."""
    def ignore():
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
    job = ready(1, "echo ready; sleep 0.3", preexec_fn=ignore)
    job.process.send_signal(signal.SIGHUP)
    equal(job.finish().status, 0)


def test_ignored_children():
    """A parent that ignores SIGCHLD leaves that to oshrun, which must not mind."""
    def ignore():
        signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    job = Job("-n", 2, "sh", "-c", "exit 3", preexec_fn=ignore)
    equal(job.finish(seconds=3).status, 3)


def test_reader_that_is_gone_for_good():
    """A second interrupt ends even an oshrun whose output nobody takes."""
    job = Job("-n", 1, "sh", "-c", "yes | head -c 300000; echo done >&2")
    time.sleep(0.3)
    for pid in job.pids():
        os.kill(pid, signal.SIGKILL)
    time.sleep(0.2)
    check(job.process.poll() is None)
    job.process.send_signal(signal.SIGINT)
    time.sleep(0.1)
    job.process.send_signal(signal.SIGINT)
    wait_until(lambda: job.process.poll() is not None, 2, "oshrun to end")
    check(job.finish().status in (130, 137))


def test_timeout_program():
    """timeout(1) before oshrun ends the job as anything else."""
    p = subprocess.run(["timeout", "0.3", OSHRUN, "-n", "2", "sleep", "60"], capture_output=True,
                       text=True, timeout=5)
    equal((p.returncode, p.stdout, p.stderr), (124, "", ""))


def test_message_of_a_pe_killed_by_a_signal_of_its_own():
    job = Job("-n", 2, "sh", "-c", "[ $TERN_PE = 1 ] && kill -TERM $$; sleep 60")
    job.finish(seconds=10)
    equal(job.status, 143)
    contains(job.err, "PE 1 of 2 was killed by signal 15 (SIGTERM: Terminated)")


main(globals())

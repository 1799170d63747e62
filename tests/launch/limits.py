# SPDX-License-Identifier: BSD-3-Clause
"""Jobs that the machine can't hold are refused before anything starts; a large one runs."""
import os
import resource
import subprocess

from launch import Job, OSHRUN, check, contains, equal, expect, for_all_users, main, run, sh


def limited(what, soft, hard=None):
    def set_up():
        resource.setrlimit(what, (soft, soft if hard is None else hard))
    return set_up


def test_far_too_many():
    for n in ("100000", "65536", "99999999999999999999999"):
        job = run("-n", n, "sh", "-c", "echo started")
        expect(job, 1, "", "exceeds the 65535 PEs that a machine may have")
        check(job.seconds < 1)
    expect(run("-n", "40000", "true", ":", "-n", "40000", "true"), 1, "", "-n 80000 exceeds")


def test_descriptors():
    job = sh(600, "echo started", preexec_fn=limited(resource.RLIMIT_NOFILE, 1000))
    expect(job, 1, "", "600 PEs need 1240 descriptors and exceed the hard limit of 1000")
    job = sh(60, "ulimit -n", preexec_fn=limited(
        resource.RLIMIT_NOFILE, 100, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))
    expect(job, 0, "100\n" * 60)


def test_few_descriptors():
    job = sh(3, "echo here", preexec_fn=limited(resource.RLIMIT_NOFILE, 64))
    expect(job, 0, "here\n" * 3)


def test_small_stack():
    """The limit is of oshrun's own stack too, and PEs inherit it."""
    job = sh(3, "ulimit -s", preexec_fn=limited(resource.RLIMIT_STACK, 64 << 10))
    expect(job, 0, "64\n" * 3)


def test_user_processes():
    if os.getuid() != 0:
        return

    def set_up():
        os.setgroups([])
        os.setgid(65534)
        os.setuid(65534)
        limited(resource.RLIMIT_NPROC, 50)()
    oshrun = for_all_users(OSHRUN, "bin/oshrun")
    job = sh(100, "echo started", preexec_fn=set_up, cwd="/", oshrun=oshrun)
    expect(job, 1, "", "100 PEs exceed the user's process limit: 50 processes")
    job = sh(2, "echo started", preexec_fn=set_up, cwd="/", oshrun=oshrun)
    expect(job, 0, "started\nstarted\n")


def test_file_size():
    expect(sh(1, "ulimit -f", preexec_fn=limited(
        resource.RLIMIT_FSIZE, 512 * 1024, resource.RLIM_INFINITY)), 0, "1024\n")
    job = sh(1, "echo started", preexec_fn=limited(resource.RLIMIT_FSIZE, 1 << 20))
    expect(job, 1, "", "exceeds the hard limit on file sizes of 1048576 bytes")


def test_thousand_pes():
    if resource.getrlimit(resource.RLIMIT_NOFILE)[1] < 2100:
        raise SystemExit(77)
    job = run("-n", 1000, "sh", "-c", "echo $TERN_PE; exit 0")
    equal(job.status, 0)
    equal(sorted(map(int, job.out.split())), list(range(1000)))
    job = run("-n", 1000, "-l", "sh", "-c", "[ $TERN_PE = 999 ] && exit 3; sleep 60")
    equal(job.status, 3)
    contains(job.err, "PE 999 of 1000 exited with status 3")


def cost_of_a_turn(n):
    """
    Nanoseconds of oshrun's for each line of PE 0 that comes alone. The n - 1 others have ended, but
    for a silent process of each.
    """
    script = ("import os, time\nos.write(1, b'x')\nos.read(0, 1)\n"
              "for i in range(2000):\n os.write(1, b'x\\n')\n time.sleep(0.0002)\n")
    more = [":", "-n", n - 1, "sh", "-c", "sleep 1000 &"] if n > 1 else []
    job = Job("-n", 1, "python3", "-S", "-c", script, *more, stdin=subprocess.PIPE)
    job.wait_for_command("sleep", n - 1, 60)

    def used():
        with open(f"/proc/{job.process.pid}/schedstat") as f:
            return int(f.read().split()[0])
    before, turns, lines = used(), 0, 0
    job.process.stdin.write(b"x")
    job.process.stdin.flush()
    while lines < 2000:
        lines += os.read(job.process.stdout.fileno(), 65536).count(b"\n")
        turns += 1
    cost = (used() - before) / turns
    job.process.kill()
    job.finish()
    return cost


def test_silent_pes():
    """They cost oshrun nothing while another one writes."""
    for attempt in range(3):
        one, many = cost_of_a_turn(1), cost_of_a_turn(300)
        print(f"{one:.0f} ns with 1 PE, {many:.0f} ns with 300")
        if many < 4 * one:
            return
    check(False, "300 silent PEs make a turn dear")


main(globals())

# SPDX-License-Identifier: BSD-3-Clause
"""Processes that a PE starts live as those of any program, and the job does not notice."""
import re
import subprocess

from system import OSHRUN, build, check, equal, fine, main, program, run

FORKS = program("forks")
WAYS = ("fork", "thread", "nested", "exit", "_Fork", "vfork", "spawn", "system", "popen")


def try_all(path, rounds=10):
    for way in WAYS:
        for when in ("before", "during", "after"):
            fine(run("-n", 3, path, way, when, rounds), "")
    fine(run("-n", 2, path, "crowd", rounds), "")
    fine(run("-n", 1, path, "crowd", rounds), "")


def test_dynamic():
    try_all(FORKS)


def test_static():
    try_all(build("forks.c", "-static"))


def test_static_pie():
    try_all(build("forks.c", "-static-pie", "-fPIE"), 3)


def test_static_library():
    try_all(build("forks.c", "--tern-static", "-no-pie", "-fno-pie"), 3)


def test_many():
    """200 of them while four PEs add to the parent's counter."""
    for way in ("fork", "thread", "system", "popen"):
        fine(run("-n", 5, FORKS, way, "during", 200), "")
    static = build("forks.c", "-static")
    for way in ("fork", "thread"):
        fine(run("-n", 5, static, way, "during", 200), "")


def refusals(when, n=2):
    job = run("-n", n, FORKS, "call", when)
    equal(job.status, 0, job.err)
    return job.out, sorted(re.sub(r"child of PE \d", "child of PE X", line)
                           for line in job.err.splitlines())


def test_openshmem_in_a_child():
    only = "only the PE itself may use OpenSHMEM"
    init = f"tern: child of PE X of 2: error: the child of a fork can't initialize: {only}"
    put = f"tern: child of PE X of 2: shmem_int_p: called in the child of a fork: {only}"
    equal(refusals("before"), (4 * "child: 1\n", 2 * [init] + 2 * [put]))
    out, err = refusals("during")
    equal((out, len(err)), (4 * "child: 1\n", 4))
    for routine in ("shmem_int_p", "shmem_barrier_all", "shmem_finalize"):
        check(f"tern: child of PE X of 2: {routine}: called in the child of a fork: {only}" in err,
              err)
    check(init in err, err)
    equal(refusals("after"), (2 * "child: 1\n", 2 * [init]))


def test_child_of_a_program_alone():
    """Without a launcher, a child that comes before shmem_init is as good as its parent."""
    job = subprocess.run([FORKS, "call", "before"], capture_output=True, text=True, timeout=20,
                         check=False)
    equal((job.returncode, job.stdout, job.stderr), (
        0, "child: 0\nchild: 1\n", "tern: PE 0 of 1: shmem_int_p: called before shmem_init\n"))


def who(command):
    job = run("-n", 2, FORKS, "who", command)
    fine(job)
    lines = sorted(job.out.splitlines())
    for own in ("PE 0 of 2", "PE 1 of 2"):
        check(own in lines, lines)
        lines.remove(own)
    return lines


def test_program_of_tern_in_a_pe():
    """It is a job of its own, whatever the environment says."""
    equal(who(f"{FORKS} who"), ["PE 0 of 1"])
    equal(who(f"{FORKS} who '{FORKS} who'"), 2 * ["PE 0 of 1"])
    equal(who(f"{build('forks.c', '-static')} who"), ["PE 0 of 1"])


def test_job_in_a_pe():
    equal(who(f"{OSHRUN} -n 2 {FORKS} who"), ["PE 0 of 2", "PE 1 of 2"])
    equal(who(f"{OSHRUN} -n 2 {FORKS} who '{OSHRUN} -n 1 {FORKS} who'"),
          ["PE 0 of 1", "PE 0 of 2", "PE 1 of 2"])


main(globals())

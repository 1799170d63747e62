# SPDX-License-Identifier: BSD-3-Clause
"""PEs on this machine under the launchers of clusters: how jobs start and end.

    launchers.py hydra|mpirun|pmi2|pmix TEST...     PE: the program of pe.c
"""
import os
import pathlib
import signal
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "cluster"))

from cluster import Job, Place, check, wait_until

PE = os.environ["PE"]
N = 3


def lines(n):
    return [f"PE {pe} of {n} shares memory with {n}" for pe in range(n)]


def run(place, *program, n=N, **env):
    """A job to its end: its status, and its lines in order, without those of the launcher."""
    status, output = place.run(n, [str(word) for word in program], 40,
                               OMPI_MCA_orte_abort_print_stack="0", **env)
    check(status != -1, f"{program} did not end: {output!r}")
    return status, sorted(line for line in output.splitlines()
                          if line.startswith(("PE ", "tern: ")))


def equal(got, want, what):
    check(got == want, f"{what}: {got!r} instead of {want!r}")


def test_hello(place):
    for n in (1, 2, 5):
        equal(run(place, PE, n=n), (0, lines(n)), f"{n} PEs")


def test_wrappers(place):
    for words in (["sh", "-c", f"{PE}; exit $?"], ["env", "A=b", PE], ["timeout", "20", PE],
                  [PE, "again"]):
        equal(run(place, *words), (0, lines(N)), words[0])


def test_program_of_a_pe(place):
    """It is a job of its own, before and after its parent's shmem_init."""
    for words in (["child"], ["hello", "child"]):
        equal(run(place, PE, *words), (0, sorted(lines(N) + N * lines(1))), words)


def test_nodes(place):
    status, output = run(place, PE, n=4, SHMEM_NODES="2")
    equal((status, output), (0, [f"PE {pe} of 4 shares memory with 2" for pe in range(4)]),
          "two nodes")


def ends(place, status, words, line=None, **env):
    """A job in which PE 1 ends so, and the others would wait for ever. status: None: any but 0."""
    started = time.monotonic()
    got, output = run(place, PE, *words, **env)
    if status is None:
        check(got != 0, f"{words}: status 0, with {output!r}")
    else:
        equal(got, status, f"{words}: status, with {output!r}")
    if line:
        check(any(line in one for one in output), f"{line!r} is not in {output!r}")
    check(time.monotonic() - started < 20, "it took too long")


def test_exit_status(place):
    ends(place, 7, ["exit", 7])


def test_global_exit(place):
    ends(place, 9, ["global_exit", 9], "PE 1 ends the job")
    ends(place, 0, ["global_exit", 0], "PE 1 ends the job")


def test_misuse(place):
    ends(place, 1, ["misuse"], "tern: PE 1 of 3: shmem_long_p: PE 4 is outside 0..2")


def test_exit_without_finalize(place):
    ends(place, 1, ["exit", 0], "PE 1 has ended without shmem_finalize")


def test_finalize_too_early(place):
    ends(place, 1, ["finalize", 0], "PE 1 has called shmem_finalize and ended")


def test_finalize_too_early_between_nodes(place):
    """No other PE is on the node of PE 1, so only its silence shows that it has ended. Both other
    nodes end the job: Slurm's status is then that of the PE that it kills."""
    for others_finalize in (0, 1):
        ends(place, None, ["finalize", others_finalize], "PE 1 was lost", SHMEM_NODES=str(N),
             SHMEM_LOST_AFTER="2")


def test_ends_without_heartbeats(place):
    """SHMEM_LOST_AFTER=0: silence is no loss, but the end of the only PE of a node is."""
    for words in (["exit", 0], ["finalize", 0], ["finalize", 1]):
        ends(place, None, words, "PE 1 was lost", SHMEM_NODES=str(N), SHMEM_LOST_AFTER="0")


def test_status_after_finalize(place):
    equal(run(place, PE, "status", 5), (5, lines(N)), "status")


def test_different_heaps(place):
    status, output = run(place, "sh", "-c", "SHMEM_SYMMETRIC_SIZE="
                         f"$((${{PMI_RANK:-$PMIX_RANK}} / 2 + 1))M exec {PE}")
    check(status != 0, f"status 0, with {output!r}")
    check(any("give all PEs the same SHMEM_SYMMETRIC_SIZE" in line for line in output), output)


def waiting_job(place):
    """A job whose PEs all wait, and their processes."""
    job = Job(place.command(N, [PE, "wait"]), place.environment({}))
    wait_until(lambda: job.read().count(" waits") == N, 20, f"PEs that wait: {job.read()!r}")
    pes = [pid for pid in job.pids() if os.readlink(f"/proc/{pid}/exe") == os.path.realpath(PE)]
    equal(len(pes), N, "processes of PEs")
    return job, pes


def alive(pid):
    try:
        with open(f"/proc/{pid}/stat") as f:
            return f.read().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def test_pe_killed(place):
    job, pes = waiting_job(place)
    os.kill(pes[1], signal.SIGKILL)
    wait_until(lambda: not any(alive(pid) for pid in pes), 10, "the end of all PEs")
    status, output = job.finish(20)
    check(status not in (0, -1), f"status {status}, with {output!r}")


def test_launcher_killed(place):
    job, pes = waiting_job(place)
    job.process.kill()
    wait_until(lambda: not any(alive(pid) for pid in pes), 10, "the end of all PEs")
    job.kill()


def main():
    place = Place(sys.argv[1])
    tests = {n[5:]: f for n, f in globals().items() if n.startswith("test_")}
    for name in sys.argv[2:] or tests:
        try:
            tests[name](place)
        except AssertionError as e:
            sys.exit(f"{name}: {e}")


main()

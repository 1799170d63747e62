# SPDX-License-Identifier: BSD-3-Clause
"""oshrun hands jobs over to real launchers, on three hosts.

    oshrun.py hydra|mpirun|srun TEST
"""
import contextlib
import os
import pathlib
import re
import signal
import sys
import tempfile
import time

from cluster import Job, Place, check, wait_until

OSHRUN = os.environ["OSHRUN"]
PROGRAM = os.environ["PROGRAM"]
TERN_INFO = os.environ["INFO_TOOL"]
RANK = "${PMI_RANK:-$PMIX_RANK}"


class Cluster:
    """Three hosts, and how oshrun is called there."""

    def __init__(self, launcher):
        self.launcher = launcher
        self.place = Place("pmi2" if launcher == "srun" else launcher, 3)
        self.hosts = self.place.hosts

    def start(self, *words, env=None):
        command = [OSHRUN, "--launcher", self.launcher, *words]
        if self.launcher == "srun":
            command = ["salloc", "--quiet", "-N", "3", "-n", "6", "--overcommit", *command]
        return Job(self.hosts.on(1, command), self.place.environment(env or {}))

    def run(self, *words, env=None, seconds=30):
        job = self.start(*words, env=env)
        status, output = job.finish(seconds)
        check("hands over to" in output, output)
        return status, output

    def expect(self, status, *words, **more):
        got, output = self.run(*words, **more)
        check(got == status, f"status {got} instead of {status}: {output}")
        return [line for line in output.splitlines() if "hands over to" not in line]


def equal(got, want):
    check(got == want, f"{got} instead of {want}")


def test_placement(cluster):
    """Consecutive PEs on each host, in the order given, by names and addresses."""
    script = f"echo {RANK} $(hostname)"
    lines = cluster.expect(0, "-H", "tern-3:1,tern-1:2,tern-2:1", "sh", "-c", script)
    equal(sorted(lines), ["0 tern-3", "1 tern-1", "2 tern-1", "3 tern-2"])
    lines = cluster.expect(0, "-H", "tern-1,tern-2,tern-3", "-N", 2, "sh", "-c", script)
    equal(sorted(lines), [f"{i} tern-{i // 2 + 1}" for i in range(6)])
    if cluster.launcher == "srun":
        return
    lines = cluster.expect(0, "-H", "10.77.0.1,root@tern-3,fd77::2", "sh", "-c", script)
    equal(sorted(lines), ["0 tern-1", "1 tern-3", "2 tern-2"])
    lines = cluster.expect(0, "-H", "tern-2,tern-1:2,tern-3:1", "-n", 2, "sh", "-c", script, ":",
                           "-n", 2, "-x", "A=b c", "sh", "-c", script + ' "$A"')
    equal(sorted(lines), ["0 tern-2", "1 tern-1", "2 tern-1 b c", "3 tern-3 b c"])


def test_what_is_passed_on(cluster):
    """Environment, however large; arguments and paths with blanks; standard input is empty."""
    env = {"SHMEM_ODD": "a b;c=\"d\" $HOME 'e'", "SHMEM_EMPTY": "",
           **{f"LARGE_{i}": "x" * 1000 for i in range(100)}}
    with tempfile.TemporaryDirectory(prefix="two words ") as folder:
        script = pathlib.Path(folder) / "my script"
        script.write_text("#!/bin/sh\nprintf '<%s>' \"$SHMEM_ODD\" \"${SHMEM_EMPTY-unset}\" "
                          "\"$SET\" \"$(env | grep ^LARGE_ | wc -c)\" \"$(pwd)\" \"$@\"; echo\n")
        script.chmod(0o755)
        words = ["a b", "", "*", "$HOME", "it's \"q\"", "-n", "x=y"]
        lines = cluster.expect(0, "-H", "tern-1,tern-2", "-C", folder, "-x", "SET=1 2",
                               "./my script", *words, env=env)
        large = sum(len(name) + len(value) + 2 for name, value in env.items() if "LARGE" in name)
        want = [env["SHMEM_ODD"], "", "1 2", str(large), folder, *words]
        equal(lines, ["".join(f"<{word}>" for word in want)] * 2)


def named(job, name):
    found = []
    for pid in job.pids():
        with contextlib.suppress(OSError):
            if pathlib.Path(f"/proc/{pid}/comm").read_text().strip() == name:
                found.append(pid)
    return found


def test_ends(cluster):
    """The status of a PE that fails; --timeout; and no PE outlives oshrun, however it ends."""
    status, output = cluster.run("-H", "tern-1,tern-2", "sh", "-c", "exit 3")
    equal(status, 3)
    status, output = cluster.run("-H", "tern-1,tern-2,tern-3", "--timeout", 1, "sleep", 61)
    equal(status, 124)
    check("did not end within 1 s (--timeout)" in output, output)
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGKILL):
        job = cluster.start("-H", "tern-1,tern-2,tern-3", "sh", "-c", "echo ready; exec sleep 61")
        wait_until(lambda: job.read().count("ready") == 3, 20, "three PEs that are ready")

        os.kill(named(job, "oshrun")[0], number)
        wait_until(lambda: not named(job, "sleep"), 10, f"the PEs' end after signal {number}")
        job.finish(10)


def test_openshmem(cluster):
    """A program of several PEs is one job."""
    for hosts, n in (("tern-1:2,tern-2:2,tern-3:2", 6), ("tern-2,tern-1:3", 4)):
        output = "\n".join(cluster.expect(0, "-H", hosts, "-n", n, PROGRAM, seconds=60))
        equal(re.findall(r"checks on (\d+) PEs passed", output), [str(n)])


def test_self_test(cluster):
    """tern-info's test between hosts, by the launcher that oshrun finds."""
    command = [TERN_INFO, "--test", "tern-1,tern-3"]
    if cluster.launcher == "srun":
        command = ["salloc", "--quiet", "-N", "3", "-n", "6", "--overcommit", *command]
    job = Job(cluster.hosts.on(1, command), cluster.place.environment({}))
    status, output = job.finish(60)
    equal(status, 0)
    for line in ("PE 0 is on tern-1\n", "PE 1 is on tern-3\n", "PASS  0 -> 1  put", "All is well."):
        check(line in output, output)


def main():
    cluster = Cluster(sys.argv[1])
    started = time.monotonic()
    try:
        globals()["test_" + sys.argv[2]](cluster)
    except AssertionError as e:
        print(e)
        sys.exit(1)
    finally:
        cluster.place.stop()
    print(f"{time.monotonic() - started:.1f} s")


main()

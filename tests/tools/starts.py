# SPDX-License-Identifier: BSD-3-Clause
"""oshrun --check: mistakes where OpenSHMEM begins and ends."""
import os
import subprocess
import sys

OSHRUN, STARTS = (os.environ[name] for name in ("OSHRUN", "STARTS"))
FOUND = 66
NOTHING = "check: no mistake was found on any of {} PEs\n"


def run(*words, n):
    return subprocess.run([OSHRUN, "-n", str(n), "--timeout", "50", *words], text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def right(case, n):
    job = run("--check", STARTS, case, "right", n=n)
    assert job.returncode == 0, (job.returncode, job.stderr)
    return job


def two_inits():
    """They meet in most runs; the others prove nothing."""
    for _ in range(20):
        job = run("--check", STARTS, "two_inits", n=2)
        if "the thread level forbids this call" in job.stderr:
            break
    assert "not initialized yet, and another thread is initializing it" in job.stderr, job.stderr
    assert right("two_inits", 2).stderr == NOTHING.format(2)


def finalize_beside():
    job = run("--check=stop", STARTS, "finalize_beside", n=2)
    assert job.returncode == FOUND, (job.returncode, job.stderr)
    assert "the thread level forbids this call\n    shmem_finalize() at starts.c:" in job.stderr, job.stderr
    assert "the call ends OpenSHMEM, and another thread is in shmem_long_wait_until at starts.c:" in job.stderr
    right("finalize_beside", 2)


def start_pes_ends():
    for n in (2, 3):
        job = run("--check=stop", STARTS, "start_pes_ends", n=n)
        assert job.returncode == FOUND, (job.returncode, job.stderr)
        assert "collective calls do not match" in job.stderr, job.stderr
        assert f"PE {n - 1} has ended without this call" in job.stderr or "the process ends\n" in job.stderr, job.stderr
        assert right("start_pes_ends", n).stderr == NOTHING.format(n)


def mistaken_end():
    """All PEs come to their ends, and the mistakes are counted."""
    job = run("--check", STARTS, "mistaken_end", n=3)
    assert job.returncode == FOUND, (job.returncode, job.stderr)
    assert job.stdout == "PE 0 ends\nPE 1 ends\nPE 2 ends\n", (job.stdout, job.stderr)
    assert "access past the end" in job.stderr and "1 mistake in all" in job.stderr, job.stderr
    assert "PE 0 of 3: the program has ended without shmem_finalize: all PEs have to call it\n" in job.stderr
    assert "exited with status" not in job.stderr, job.stderr


globals()[sys.argv[1]]()

# SPDX-License-Identifier: BSD-3-Clause
"""oshrun --chaos: wrong programs fail with each seed, right ones with none."""
import concurrent.futures
import os
import subprocess
import sys

OSHRUN, DISORDER, SHMEM_PE = (os.environ[name] for name in ("OSHRUN", "DISORDER", "SHMEM_PE"))
N_SEEDS = int(os.environ.get("CHAOS_SEEDS", "1"))
SEEDS_OF_WRONG = range(1, 1 + max(N_SEEDS, 3))
SEEDS_OF_RIGHT = range(1, 1 + N_SEEDS)


def run(*words):
    return subprocess.run([OSHRUN, "-n", "3", "--timeout", "50", *map(str, words)],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def disorder(case):
    for seed in SEEDS_OF_WRONG:
        job = run("--chaos", seed, DISORDER, case, "right")
        assert job.returncode == 0, f"seed {seed}, corrected: {job.stdout}"
        job = run("--chaos", seed, DISORDER, case)
        assert job.returncode == 1 and "rounds went wrong" in job.stdout, f"seed {seed}: {job.stdout}"


def program(*words):
    """It stays right. Jobs wait for most of their time, so that some run at once."""
    with concurrent.futures.ThreadPoolExecutor(3) as pool:
        jobs = pool.map(lambda seed: run("--chaos", seed, *words), SEEDS_OF_RIGHT)
        for seed, job in zip(SEEDS_OF_RIGHT, jobs):
            assert job.returncode == 0, f"seed {seed}: {job.stdout}"


def n_wrong(pool, program, seeds, *words):
    jobs = list(pool.map(lambda seed: run("--chaos", seed, program, *words), seeds))
    assert {job.returncode for job in jobs} <= {0, 1}, [job.stdout for job in jobs]
    return sum(job.returncode for job in jobs)


def once(program):
    """A fence is missing a single time: nine of ten seeds show it, whatever the sender calls next."""
    seeds = range(1, 41)
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for after in "finalize", "barrier", "reduce", "free", "quiet", "sleep":
            for flag in "atomic", "put":
                n = n_wrong(pool, program, seeds, after, flag)
                if n < 36:    # the machine may have been too busy for the receiver to notice
                    n = n_wrong(pool, program, seeds, after, flag)
                print(f"{after}, {flag}: {n} of {len(seeds)} seeds")
                assert n >= 36, (after, flag, n)
            assert n_wrong(pool, program, seeds, after, flag, "right") == 0, after


def bad_seed():
    for seed in ("", "x", "-1", "1.5", "0x10", 2 ** 64, 10 ** 30):
        job = run("--chaos", seed, SHMEM_PE)
        assert job.returncode == 2 and "whole number below 2^64" in job.stdout, job.stdout


def largest_seed():
    """All that oshrun takes the library takes too, and in the same meaning: no 8 is octal."""
    for seed in (2 ** 31, 2 ** 64 - 1, "0000000000000000000000000018"):
        job = run("--chaos", seed, SHMEM_PE)
        assert job.returncode == 0, job.stdout


def other_tools_stay():
    """What is preloaded already stays so, behind the tool."""
    script = 'case $LD_PRELOAD in *libtern-chaos.so:other) echo $SHMEM_CHAOS;; esac'
    env = {**os.environ, "LD_PRELOAD": "other"}
    job = subprocess.run([OSHRUN, "-n", "1", "--chaos", "77", "sh", "-c", script], env=env,
                         stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    assert job.stdout == "77\n", job.stdout


name, *arguments = sys.argv[1:]
globals()[name](*arguments)

# SPDX-License-Identifier: BSD-3-Clause
"""The collection of small programs with and without races: how many the check tells apart.

    collection.py [--alone] BIN FILE...

BIN is the folder with oshcc, oshc++ and oshfort, beside which oshrun's lies. Each file is a category.
It is compiled with --tern-instrument, and its programs run in one job. A program counts as found if a
PE prints a message about a race after it has begun the program and before it begins the next. Prints a
table, and fails if a race is missed or a program without a race is blamed. --alone: the thread level is
SHMEM_THREAD_SINGLE; then the check takes other paths.
"""
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import tempfile

SECONDS = 100
PES = 3
COMPILERS = {".c": "oshcc", ".cpp": "oshc++", ".f90": "oshfort"}
OPTIONS = {"openmp.c": ["-fopenmp"], "cxx.cpp": ["-std=c++11"]}
RACES = ("data race", "atomic and other access", "buffer used too early")


def programs_of(path):
    """The names of the programs: their kind, then the name proper."""
    text = path.read_text()
    names = [f"{kind.lower()}_{name}" for kind, name in re.findall(r"^(RIGHT|WRONG)\((\w+)\)$", text, re.M)]
    return names or re.findall(r"^subroutine (\w+)", text, re.M)


def blamed(output):
    """The names of the programs that a message about a race follows."""
    now, found = {}, set()
    for match in re.finditer(r"^collection: PE (\d+) begins (\w+)$"
                             r"|^check: PE (\d+) of \d+: (.*)$", output, re.M):
        begins, name, pe, title = match.groups()
        if name:
            now[begins] = name
        elif title in RACES:
            found.add(now.get(pe))
    return found


def job(compilers, path, scratch, env):
    program = pathlib.Path(scratch, path.name.replace(".", "_"))
    subprocess.run([compilers / COMPILERS[path.suffix], "--tern-instrument", "-O1", "-w",
                    *OPTIONS.get(path.name, ()), "-o", program, path], check=True,
                   cwd=scratch)    # where gfortran writes modules
    return subprocess.run([compilers.parent / "launch" / "oshrun", "-n", str(PES), "--timeout", str(SECONDS),
                           "--check=races", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True, cwd=scratch, env={**os.environ, "SHMEM_NODES": "1", **env})


def judge(path, done):
    """(programs with races, those found, programs without, those blamed), and what is wrong."""
    names, found = programs_of(path), blamed(done.stderr)
    wrong = {name for name in names if name.startswith("wrong_")}
    right = set(names) - wrong
    faults = [f"{path.name}: {name} is not found" for name in sorted(wrong - found)]
    faults += [f"{path.name}: {name} is blamed" for name in sorted(right & found)]
    if done.returncode not in (0, 66):
        faults.append(f"{path.name}: status {done.returncode}")
    return (len(wrong), len(wrong & found), len(right), len(right & found)), faults


def main():
    is_alone = sys.argv[1] == "--alone"
    env = {"COLLECTION_ALONE": "1"} if is_alone else {}
    compilers, *paths = (pathlib.Path(path).resolve() for path in sys.argv[1 + is_alone:])
    rows, faults = [], []
    with tempfile.TemporaryDirectory() as scratch, concurrent.futures.ThreadPoolExecutor(2) as pool:
        for path, done in zip(paths, pool.map(lambda path: job(compilers, path, scratch, env), paths)):
            counts, wrong = judge(path, done)
            rows.append((path.stem, *counts))
            if wrong:
                print(done.stderr)
            faults += wrong
    rows.append(("together", *map(sum, zip(*(row[1:] for row in rows)))))
    print(f"{'category':14s}{'with a race':>12s}{'found':>8s}{'without':>10s}{'blamed':>8s}")
    for name, wrong, found, right, blamed in rows:
        print(f"{name:14s}{wrong:12d}{found:8d}{right:10d}{blamed:8d}")
    sys.exit("\n".join(faults) if faults else 0)


if __name__ == "__main__":
    main()

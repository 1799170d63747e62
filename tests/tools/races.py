# SPDX-License-Identifier: BSD-3-Clause
"""oshrun --check=races: calls that race are found, with both places; in order they are left alone."""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

OSHRUN, RACES = (os.environ[name] for name in ("OSHRUN", "RACES"))
SOURCE = pathlib.Path(__file__).with_name(pathlib.Path(RACES).name + ".c")
FOUND = 66
OTHERS = "other PEs made the same mistakes"
NOTHING = "check: no mistake was found on any of {} PEs\n"
UNSEEN = "check: the program's own loads and stores are not checked; `oshcc --tern-instrument` makes them visible\n"
SIZES = (2, 3, 5)
SIZES_OF = {"any_flag": (3, 5),    # takes two that set flags
            "lock_in_crowd": (8,),
            "more_lines_than_cells": (2,),    # takes time and memory
            "crowd": (2,)}                    # likewise
CHAOS = ("flag_by_quiet",)         # for which calls and their effects have to lie apart
WORDS = {
    "mixed": "atomic and other access", "atomics_in_a_loop": "atomic and other access", "mixed_fetch": "atomic and other access",
    "source_used_again": "buffer used too early", "private_source": "buffer used too early",
    "read_early": "buffer used too early", "private_dest": "buffer used too early",
    "fetched_early": "buffer used too early",
}


def run(*words, n, **options):
    options.setdefault("env", {**os.environ, "SHMEM_NODES": "2" if int(n) == 3 else "1"})
    return subprocess.run([OSHRUN, "-n", str(n), "--timeout", "100", *map(str, words)],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options)


def messages(job):
    """(PE, first line, the lines below it) of each message about a mistake."""
    found = re.findall(r"^check: (?:PE (\d+) of \d+: )?(.*)\n((?:    .*\n)+)", job.stderr, re.M)
    return [(pe, words, below) for pe, words, below in found if " in all; " not in words and words != OTHERS]


def places(case):
    """The lines that race: either may be the later one."""
    lines = SOURCE.read_text().splitlines()
    begin = lines.index(f"static void {case}(void)")
    end = lines.index("}", begin)
    return {word: f"{SOURCE.name}:{i + 1}" for i in range(begin, end) for word in ("ONE", "OTHER")
            if re.search(rf"/\*.*\b{word}\b.*\*/", lines[i])}


def right(case, n):
    job = run("--check=races", *(["--chaos", 1] if case in CHAOS else []), RACES, case, "right", n=n)
    assert job.returncode == 0 and job.stderr == NOTHING.format(n) + UNSEEN, (n, job.stderr)


def race(case):
    where = places(case)
    for n in SIZES_OF.get(case, SIZES):
        job = run("--check=races", RACES, case, n=n)
        assert job.returncode == FOUND, (n, job.returncode, job.stderr)
        assert messages(job), (n, job.stderr)
        pairs = set()
        for _, words, below in messages(job):
            assert words == WORDS.get(case, "data race"), (n, job.stderr)
            pairs.add(frozenset(re.findall(r"(?:^    |\bby )shmem_\w+(?:\(.*\))? at (\w+\.c:\d+)$",
                                           below, re.M)))
        assert frozenset(where.values()) in pairs, (n, where, job.stderr)
        assert all(pair <= set(where.values()) for pair in pairs), (n, where, job.stderr)
        right(case, n)


def silent(case):
    for n in SIZES_OF.get(case, SIZES):
        right(case, n)


def program(path, n):
    """Written for something else, and without races."""
    job = run("--check=races", path, n=n)
    blamed = [words for _, words, _ in messages(job) if words != "not freed at the end"]
    assert job.returncode == 0 and not blamed, (job.returncode, job.stderr)
    assert (NOTHING.format(n) in job.stderr) != ("not freed" in job.stderr), job.stderr


def applications(compiler, folder):
    """Those of the benchmark: the search alone looks at words by gets that others claim at once."""
    with tempfile.TemporaryDirectory() as scratch:
        subprocess.run([compiler, "-g", "-O2", "-DRUNS=2", "-pthread", "-o", "apps",
                        f"{folder}/apps.c", f"{folder}/bench.c"], cwd=scratch, check=True)
        for n in SIZES:
            job = run("--check=races", "./apps", n=n, cwd=scratch, env=os.environ)
            assert job.returncode == FOUND, (n, job.returncode, job.stderr)
            for _, words, below in messages(job):
                if words != "not freed at the end":
                    assert words == "atomic and other access", (n, job.stderr)
                    assert len(re.findall(r" at bfs\.inc:\d+$", below, re.M)) == 2, (n, job.stderr)


def stops():
    """At the first race, whichever way that is asked for."""
    for option in "--check=stop,races", "--check=races,stop":
        job = run(option, RACES, "histogram", n=2)
        assert job.returncode == FOUND and "data race" in job.stderr, (job.returncode, job.stderr)
        assert "in all" not in job.stderr, job.stderr
    script = 'SHMEM_CHECK=stop,races exec "$0" histogram'
    job = run("--check", "sh", "-c", script, RACES, n=2)
    assert job.returncode == FOUND and "in all" not in job.stderr, (job.returncode, job.stderr)


def not_everywhere():
    """PEs without the check of races may order others unseen, so no PE looks for races."""
    for other in range(3):
        script = f'test $TERN_PE = {other} || export SHMEM_CHECK=races; exec "$0" histogram'
        job = run("--check", "sh", "-c", script, RACES, n=3)
        assert job.returncode == 0 and job.stderr.count("no races are looked for") == 1, job.stderr


def not_any_more():
    """An init that leaves the tool no memory stops the check of races: no false positives."""
    job = run("--check=races", os.environ["AGAIN"], n=2)
    assert job.returncode == 0 and job.stderr.count("no races are looked for") == 1, job.stderr
    assert job.stderr.count("collective calls are not compared") == 1, job.stderr


def only_if_asked():
    job = run("--check", RACES, "histogram", n=2)
    assert job.returncode == 0 and job.stderr == NOTHING.format(2), job.stderr


globals()[sys.argv[1]](*sys.argv[2:])

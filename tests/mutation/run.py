#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Break the library on purpose, one fault at a time, and expect a test to fail each time.

    run.py SOURCE [WORD]       only the faults whose description contains WORD
    run.py --table SOURCE      only check that the table fits the sources

Works on a copy of the source tree. For each row of mutations.tsv it replaces the text, builds and runs
the row's tests, and restores the text. Succeeds if every fault made a test fail.
"""
import fnmatch
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
from typing import NamedTuple

TABLE = "tests/mutation/mutations.tsv"
LOG = "meson-logs/testlog.json"


class Fault(NamedTuple):
    what: str
    tests: list  # suites, and names of tests
    file: str
    text: str
    instead: str


def faults(source):
    for line in (source / TABLE).read_text().splitlines():
        if line and not line.startswith("#"):
            what, tests, file, text, instead = line.split("\t")
            yield Fault(what, tests.split(), file, text.replace("\\n", "\n"),
                        instead.replace("\\n", "\n"))


def misfits(source):
    """Yield a message for each row whose text does not occur exactly once in its file."""
    for fault in faults(source):
        path = source / fault.file
        times = path.read_text().count(fault.text) if path.exists() else 0
        if times != 1:
            yield f"{TABLE}: {fault.what}: {fault.file} has {times} times {fault.text!r}"


def copy_tree(source, tree):
    listing = subprocess.run(["git", "-C", source, "ls-files", "-coz", "--exclude-standard"],
                             capture_output=True, check=True)
    for name in filter(None, listing.stdout.decode().split("\0")):
        (tree / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(source / name, tree / name)


def names_like(build, pattern):
    """The names of the tests that the pattern fits; Meson's list has them as "suites / name"."""
    listing = subprocess.run(["meson", "test", "-C", build, "--list"], capture_output=True,
                             text=True, check=True).stdout
    names = fnmatch.filter((line.partition(" / ")[2] for line in listing.splitlines()), pattern)
    if not names:
        sys.exit(f"{TABLE}: no test is called {pattern}")
    return names


def failing_tests(build, tests):
    """The names of the tests that failed, or None if the fault does not build."""
    log = build / LOG
    log.unlink(missing_ok=True)
    command = ["meson", "test", "-C", build, "--maxfail", "1"]
    for test in tests:
        command += names_like(build, test) if "/" in test else ["--suite", test]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    if not log.exists():
        print(run.stdout[-2000:])
        return None
    results = [json.loads(line) for line in log.read_text().splitlines()]
    return [t["name"] for t in results if t["result"] in ("FAIL", "TIMEOUT", "ERROR")]


def try_fault(fault, tree, build):
    """Print whether a test noticed the fault, and return it."""
    path = tree / fault.file
    whole = path.read_text()
    path.write_text(whole.replace(fault.text, fault.instead))
    failed = failing_tests(build, fault.tests)
    path.write_text(whole)
    if failed:
        print(f"noticed: {fault.what}: {failed[0]}", flush=True)
    else:
        print(f"MISSED:  {fault.what}{' (does not build)' if failed is None else ''}", flush=True)
    return bool(failed)


def run(source, word):
    with tempfile.TemporaryDirectory(prefix="tern-mutation-") as folder:
        tree, build = pathlib.Path(folder, "tree"), pathlib.Path(folder, "build")
        copy_tree(source, tree)
        subprocess.run(["meson", "setup", build, tree], check=True, stdout=subprocess.DEVNULL)
        return [try_fault(fault, tree, build) for fault in faults(source) if word in fault.what]


def main():
    table_only = sys.argv[1] == "--table"
    arguments = sys.argv[2 if table_only else 1:]
    source = pathlib.Path(arguments[0]).resolve()
    wrong = list(misfits(source))
    print(*wrong, sep="\n", end="\n" if wrong else "")
    if wrong or table_only:
        sys.exit(1 if wrong else 0)
    noticed = run(source, arguments[1] if len(arguments) > 1 else "")
    print(f"{sum(noticed)} passed, {len(noticed) - sum(noticed)} failed")
    sys.exit(0 if noticed and all(noticed) else 1)


if __name__ == "__main__":
    main()

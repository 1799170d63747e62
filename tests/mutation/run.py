#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Breaks the library on purpose, a fault at a time, and sees that a named test fails each time.

Usage: run.py SOURCE [WORD]    only faults whose description contains WORD

Works on a copy of the source tree. For each row of mutations.tsv it replaces the text, builds, runs
the row's suites and puts the text back. Succeeds if every fault made a test fail.
"""
import json
import os
import shutil
import subprocess
import sys
import tempfile


def rows(path):
    with open(path, encoding="utf-8") as f:
        for line in f:
            if line.strip() and not line.startswith("#"):
                what, suites, file, text, instead = line.rstrip("\n").split("\t")
                yield what, suites.split(), file, text.replace("\\n", "\n"), instead.replace("\\n", "\n")


def failing_tests(build, suites):
    """Names of the tests that failed; a fault that breaks the build counts as none."""
    made = subprocess.run(["ninja", "-C", build], capture_output=True, text=True, check=False)
    if made.returncode != 0:
        print(made.stdout[-2000:])
        return None
    command = ["meson", "test", "-C", build, "--no-rebuild", "--num-processes", "2", "--maxfail", "1"]
    for suite in suites:
        command += ["--suite", suite]
    subprocess.run(command, capture_output=True, check=False)
    with open(os.path.join(build, "meson-logs", "testlog.json"), encoding="utf-8") as log:
        tests = [json.loads(line) for line in log]
    return [t["name"] for t in tests if t["result"] in ("FAIL", "TIMEOUT", "ERROR")]


def main():
    source = os.path.abspath(sys.argv[1])
    word = sys.argv[2] if len(sys.argv) > 2 else ""
    noticed, missed = 0, 0
    with tempfile.TemporaryDirectory(prefix="tern-mutation-") as folder:
        tree, build = os.path.join(folder, "tree"), os.path.join(folder, "build")
        files = subprocess.run(["git", "-C", source, "ls-files", "-coz", "--exclude-standard"], capture_output=True, check=True)
        for name in filter(None, files.stdout.decode().split("\0")):
            to = os.path.join(tree, name)
            os.makedirs(os.path.dirname(to), exist_ok=True)
            shutil.copy2(os.path.join(source, name), to)
        subprocess.run(["meson", "setup", build, tree], check=True, stdout=subprocess.DEVNULL)
        for what, suites, file, text, instead in rows(os.path.join(source, "tests/mutation/mutations.tsv")):
            if word not in what:
                continue
            path = os.path.join(tree, file)
            with open(path, encoding="utf-8") as f:
                whole = f.read()
            if whole.count(text) != 1:
                sys.exit(f"{file}: the text to replace occurs {whole.count(text)} times: {text!r}")
            with open(path, "w", encoding="utf-8") as f:
                f.write(whole.replace(text, instead))
            failed = failing_tests(build, suites)
            with open(path, "w", encoding="utf-8") as f:
                f.write(whole)
            if failed:
                noticed += 1
                print(f"noticed: {what}: {failed[0]}", flush=True)
            else:
                missed += 1
                print(f"MISSED:  {what}{' (does not build)' if failed is None else ''}", flush=True)
    print(f"{noticed} passed, {missed} failed")
    sys.exit(1 if missed or not noticed else 0)


if __name__ == "__main__":
    main()

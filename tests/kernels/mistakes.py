# SPDX-License-Identifier: BSD-3-Clause
"""Make mistakes in kernels and on queues under --check, which has to name the program's line,
and make none, which it has to see as well.

    mistakes.py OSHRUN PROGRAM SOURCE
"""
import pathlib
import re
import subprocess
import sys


def wrong(oshrun, program, source):
    lines = pathlib.Path(source).read_text().splitlines()
    mistakes = {match[1]: number for number, line in enumerate(lines, 1)
                if (match := re.search(r"/\* (\w+) \*/$", line))}
    print(f"{len(mistakes)} mistakes")
    if len(mistakes) < 7:
        yield f"{source} has too few mistakes: {mistakes}"
    run = subprocess.run([oshrun, "-n", "2", "--timeout", "20", "--check", program, "none"],
                         text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if run.returncode or "no mistake was found" not in run.stdout:
        yield f"none: status {run.returncode}:\n{run.stdout}"
    for mistake, number in mistakes.items():
        run = subprocess.run([oshrun, "-n", "2", "--timeout", "20", "--check", program, mistake],
                             text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        expected = f"at {pathlib.Path(source).name}:{number}\n"
        if run.returncode != 66 or "access past the end" not in run.stdout or expected not in run.stdout:
            yield f"{mistake}: status {run.returncode}, not {expected.strip()}:\n{run.stdout}"


def main():
    messages = list(wrong(*sys.argv[1:]))
    print(*messages, sep="\n")
    sys.exit(1 if messages else 0)


main()

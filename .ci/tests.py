#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""tests.py LOG REPORTS: reads the results of a `meson test`, appends to REPORTS what each failed test
last printed, and prints how many passed, failed and were skipped."""
import json
import sys

LINES = 30  # of a failed test's output


def last_lines(text):
    return "".join(f"    {line}\n" for line in (text or "").splitlines()[-LINES:])


def main():
    passed = failed = skipped = 0
    with open(sys.argv[1]) as log, open(sys.argv[2], "a") as reports:
        for line in log:
            try:
                test = json.loads(line)
            except json.JSONDecodeError:    # the run was killed in it
                failed += 1
                reports.write(f"cut off: {line[:200]}\n")
                continue
            if test["result"] in ("OK", "EXPECTEDFAIL"):
                passed += 1
            elif test["result"] == "SKIP":
                skipped += 1
            else:
                failed += 1
                reports.write(f"{test['name']}: {test['result']} after {test['duration']:.0f} s\n")
                reports.write(last_lines(test.get("stdout")) + last_lines(test.get("stderr")))
    print(passed, failed, skipped)


main()

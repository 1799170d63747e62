#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Times jobs from start to end: hello world, and a barrier of many PEs, beside plain processes.

Usage: start.py OSHRUN HELLO [PES ...]     HELLO is a program that meets in a barrier and ends.
"""
import statistics
import subprocess
import sys
import time

RUNS = 9


def seconds(command):
    start = time.monotonic()
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
    return time.monotonic() - start


def plain(n):
    """The same number of empty programs, started from here and waited for."""
    start = time.monotonic()
    processes = [subprocess.Popen(["/bin/true"]) for _ in range(n)]
    for p in processes:
        p.wait()
    return time.monotonic() - start


def main():
    oshrun, hello = sys.argv[1:3]
    counts = [int(a) for a in sys.argv[3:]] or [2, 64, 512]
    print(f"{'PEs':>6} {'job ms':>10} {'plain ms':>10} {'difference':>10} {'ratio':>7}   median of {RUNS}")
    for n in counts:
        ours, theirs = [], []
        for _ in range(RUNS if n < 500 else 5):
            ours.append(seconds([oshrun, "-n", str(n), hello]) * 1e3)
            theirs.append(plain(n) * 1e3)
        a, b = statistics.median(ours), statistics.median(theirs)
        print(f"{n:6} {a:10.2f} {b:10.2f} {a - b:10.2f} {a / b:7.2f}")


if __name__ == "__main__":
    main()
